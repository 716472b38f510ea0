"""Other decisions of a fitted classifier, and prices of mistakes that are each row's own."""

import copy

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from . import _core, _decisions, _messages
from ._base import KernelMachine
from ._validation import validated


def label_texts(classes):
    """Labels as the library writes them."""
    if classes.dtype.kind == "f":
        return [_core.number_text(float(label)) for label in classes]
    return [str(label) for label in classes]


class Deciding(KernelMachine):
    """What is decided about rows: a part of the classifiers."""

    def _priced(self, X):
        """The columns of checked rows that ``cost`` names; None: it names none."""
        names = _decisions.price_columns(self.cost)
        if not names:
            return None
        _decisions.cost_text(self.cost, len(self.classes_))  # says what is wrong with it
        known = list(getattr(self, "feature_names_in_", []))
        if not known or sparse.issparse(X):
            raise ValueError(f"cost names columns of a frame, {names}, and X is an array; give a frame with named columns")
        for name in names:
            if name not in known:
                raise ValueError(f"cost names the column {name!r}, and the columns are {known}")
        return np.ascontiguousarray(X[:, [known.index(name) for name in names]], dtype=np.float64)

    def _prices_of(self, X):
        if not _decisions.price_columns(self.cost):
            return None
        return self._priced(validated(self, X, reset=False, accept_sparse="csr", dtype=np.float64))

    def with_decisions(self, threshold=None, cost=None):
        """A fitted copy that decides otherwise: the same machine and probabilities, cut elsewhere.

        Nothing is fitted. Held-out predictions and their scores (``loo_predictions_``, ``report_["held_out"]``) are
        those of the new decisions.

        Parameters
        ----------
        threshold : float or str, optional
            As the parameter of the same name.
        cost : pair or array-like of shape (n_classes, n_classes), optional
            As the parameter of the same name; the cut follows unless ``threshold`` is given too. Columns of prices are
            known where the model was fitted with them.

        Returns
        -------
        estimator : object
            Of the same class; this one is not changed.
        """
        check_is_fitted(self, "model_")
        out = copy.copy(self)
        out.set_params(threshold=threshold, cost=cost)
        rule = _decisions.threshold_text(threshold, swapped=len(self.classes_) == 2 and self._order is not None)
        prices = _decisions.cost_text(cost, len(self.classes_))
        with _messages.translated(self):
            model = self.model_.with_decisions(rule, prices, label_texts(self.classes_))
        if not model.knows_weights and (cost is not None or isinstance(threshold, str)):
            _messages.warn(
                ["other"],
                [
                    "the model's rows differ in weight, which the older program that wrote it did not keep: the cut is "
                    "where probabilities put it, not held-out rows; fit(...) with these parameters looks at them"
                ],
            )
        out._adopt(model, *self._rows_of_fit)
        return out

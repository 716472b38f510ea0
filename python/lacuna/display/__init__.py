"""Pictures of fitted estimators, drawn by matplotlib from their held-out outputs.

Nothing is fitted again: what is drawn comes from the leave-one-out attributes of the estimator. The one exception is
CriterionSurfaceDisplay, which evaluates the criterion over a grid and so needs the training data.

Each class follows scikit-learn's displays: ``from_estimator`` makes and draws one, ``plot`` draws it again, and
``ax_`` and ``figure_`` are matplotlib's objects.
"""

from ._leverage import LeverageDisplay
from ._ranking import PrecisionRecallDisplay, RocDisplay
from ._reliability import ReliabilityDisplay
from ._surface import CriterionSurfaceDisplay
from ._threshold import CostCurveDisplay, ThresholdDisplay
from ._values import HeldOutDisplay

__all__ = [
    "CostCurveDisplay",
    "CriterionSurfaceDisplay",
    "HeldOutDisplay",
    "LeverageDisplay",
    "PrecisionRecallDisplay",
    "ReliabilityDisplay",
    "RocDisplay",
    "ThresholdDisplay",
]

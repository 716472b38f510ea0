"""Parameters that are checked before the library sees them, so that messages name them as the user does."""

import numbers

import numpy as np


def is_number(value):
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def positive(name, value, none):
    """The value as a float; `none` says what None means."""
    if not is_number(value) or not 0 < value < np.inf:
        raise ValueError(f"{name} must be a number above 0, or None {none}; got {value!r}")
    return float(value)


def finite(name, value, none):
    if not is_number(value) or not np.isfinite(value):
        raise ValueError(f"{name} must be a finite number, or None {none}; got {value!r}")
    return float(value)


def whole(name, value, least, most):
    if not is_number(value) or value != int(value) or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}; got {value!r}")
    return int(value)


def one_of(name, value, words):
    if value not in words:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, words))}; got {value!r}")
    return value


def flag(name, value):
    if not isinstance(value, (bool, np.bool_, numbers.Integral)) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False; got {value!r}")
    return bool(value)


def class_weights(weights, classes):
    """Weights by label, from 0 up; a class without one has 1, unless some label is no class."""
    if not isinstance(weights, dict):
        raise ValueError(f'class_weight must be "balanced", a dict of weights by label, or None; got {weights!r}')
    strange = [label for label in weights if label not in classes]
    if strange and not set(classes) <= set(weights):
        raise ValueError(f"class_weight has a weight for {strange[0]!r}, which is no label; the labels are {classes}")
    for label, weight in weights.items():
        if not is_number(weight) or not 0 <= weight < np.inf:
            raise ValueError(f"class_weight: the weight of {label!r} must be a number, 0 or more; got {weight!r}")


def column_names(name, value):
    if isinstance(value, str) or not all(isinstance(one, str) for one in _items(value)):
        raise ValueError(f"{name} must be a list of names of columns; got {value!r}")
    return list(value)


def _items(value):
    try:
        return list(value)
    except TypeError:
        return [value]

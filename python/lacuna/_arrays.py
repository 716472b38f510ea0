"""Arrays on their way into the library's module and out of it."""

import numpy as np
from scipy import sparse


def is_rows(value):
    return value is not None and np.ndim(value) == 2 or sparse.issparse(value)


def as_float(X):
    return X if sparse.issparse(X) else np.asarray(X, dtype=np.float64)


def rows_argument(X):
    """What the module takes: the array itself, or the parts of compressed rows."""
    if not sparse.issparse(X):
        return X
    X = sparse.csr_array(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X.indptr, X.indices, np.ascontiguousarray(X.data, dtype=np.float64), X.shape[1]


def positive_column(values, n, name):
    values = np.asarray(values, dtype=np.float64).ravel()
    if len(values) != n:
        raise ValueError(f"{name} has {len(values)} values for {n} rows")
    if not (np.isfinite(values) & (values > 0)).all():
        raise ValueError(f"{name} must be finite numbers above 0")
    return values


def squeezed(a):
    return a[:, 0] if a.ndim == 2 and a.shape[1] == 1 else a


def spread(values, at, n):
    """Held-out figures as an array of all rows; those that were left out have none."""
    if len(values) == n and (at == np.arange(n)).all():
        return values
    fill = -1 if values.dtype.kind == "i" else np.nan
    out = np.full((n, *values.shape[1:]), fill, dtype=values.dtype)
    out[at] = values
    return out


def averaged(held_out):
    """Rows held out several times: the mean over the repeats of what are numbers, the label of the mean output."""
    repeats = held_out["repeats"]
    n = len(held_out["row"]) // repeats
    out = {"row": held_out["row"][:n], "repeats": 1}
    for key, value in held_out.items():
        if isinstance(value, np.ndarray) and key != "row":
            parts = value.reshape(repeats, n, *value.shape[1:])
            out[key] = parts.mean(axis=0) if value.dtype.kind == "f" else parts[0]
    if "expected_cost" in out:
        out["label"] = out["expected_cost"].argmin(axis=1).astype(np.int32)
    elif "label" in out:
        z = out["decision"]
        out["label"] = (z[:, 0] >= 0).astype(np.int32) if z.shape[1] == 1 else z.argmax(axis=1).astype(np.int32)
    return out

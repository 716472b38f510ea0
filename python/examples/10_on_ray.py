"""Rows in the blocks of a dataset of Ray: every step is one map_batches.

python3 python/examples/10_on_ray.py
"""

import pickle
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pyarrow as pa
import ray

from lacuna import KernelLogisticRegression, steps


def on_each(rows, step, *args, numbered=False):
    """step(part, *args) of every block, in their order; numbered: also with the number of its first row."""

    def task(part):
        if part.num_rows == 0:
            return pa.table({"said": pa.array([], pa.binary())})
        begin = (part["row"][0].as_py(),) if numbered else ()
        return pa.table({"said": [pickle.dumps(step(part, *args, *begin))]})

    said = rows.map_batches(task, batch_format="pyarrow", batch_size=None).take_all()
    return [pickle.loads(one["said"]) for one in said]


ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
ray.data.DataContext.get_current().execution_options.preserve_order = True  # of held-out rows
rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 2))
label = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=2000) > 0, "yes", "no")
frame = pd.DataFrame({"row": np.arange(2000), "a": X[:, 0], "b": X[:, 1], "label": label})
rows = ray.data.from_pandas([frame[:900], frame[900:901], frame[901:]]).materialize()  # any dataset with numbered rows

columns = steps.Columns("label", ignore=["row"])
description = reduce(add, on_each(rows, steps.describe, columns))
sample = reduce(add, on_each(rows, steps.draw, columns, numbered=True))
plan = steps.plan(sample, KernelLogisticRegression(n_basis=20), columns, description)
while not plan.done:
    plan = steps.solve(plan, reduce(add, on_each(rows, steps.statistics, plan)))
model = steps.finish(plan, on_each(rows, steps.loo, plan, numbered=True))
print(f"{plan.passes} passes; held-out error of {plan.n_rows} rows: {model.report_['held_out']['error']:.1%}")
ray.shutdown()

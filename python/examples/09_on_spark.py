"""Rows in the partitions of a Spark frame: every step is one mapInArrow.

python3 python/examples/09_on_spark.py
"""

import os
import pickle
import sys
from functools import reduce
from operator import add

import numpy as np
import pandas as pd
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import SparkSession

from lacuna import KernelLogisticRegression, steps


def on_each(rows, step, *args, first_row=None):
    """step(part, *args) of every partition that has rows, by its number; first_row: also where it begins."""

    def task(batches):
        number, batches = TaskContext.get().partitionId(), list(batches)
        if batches:
            begin = () if first_row is None else (first_row[number],)
            said = step(pa.Table.from_batches(batches), *args, *begin)
            yield pa.RecordBatch.from_pydict({"number": [number], "said": [pickle.dumps(said)]})

    return {row.number: pickle.loads(row.said) for row in rows.mapInArrow(task, "number long, said binary").collect()}


def sum_of(said):
    return reduce(add, [said[number] for number in sorted(said)])


os.environ["PYSPARK_PYTHON"] = sys.executable
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False).getOrCreate()
rng = np.random.default_rng(0)
X = rng.normal(size=(2000, 2))
label = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=2000) > 0, "yes", "no")
frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "label": label})
rows = spark.createDataFrame(frame).cache()  # any frame whose partitions stay as they are

columns = steps.Columns("label")
described = on_each(rows, steps.describe, columns)
begins = {k: sum(described[j].rows_read for j in described if j < k) for k in described}
sample = sum_of(on_each(rows, steps.draw, columns, first_row=begins))
plan = steps.plan(sample, KernelLogisticRegression(n_basis=20), columns, sum_of(described))
while not plan.done:
    plan = steps.solve(plan, sum_of(on_each(rows, steps.statistics, plan)))
held_out = on_each(rows, steps.loo, plan, first_row=begins)
model = steps.finish(plan, [held_out[k] for k in sorted(held_out)])
print(f"{plan.passes} passes; held-out error of {plan.n_rows} rows: {model.report_['held_out']['error']:.1%}")
spark.stop()

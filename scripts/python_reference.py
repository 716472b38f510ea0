#!/usr/bin/env python3
"""Writes docs/guide/python-reference.md from the docstrings of the package.

    PYTHONPATH=build/python python3 scripts/python_reference.py [FILE]        (-: to standard output)

What several estimators share is described once. A test compares the page with the package.
"""

import inspect
import re
import sys
from pathlib import Path

from sklearn.base import ClassifierMixin, RegressorMixin

import lacuna
import lacuna.dask
import lacuna.display

PAGE = Path(__file__).resolve().parents[1] / "docs" / "guide" / "python-reference.md"


def sections(text):
    """{"": what comes first, "Parameters": ..., ...} of a numpydoc docstring."""
    parts = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", inspect.cleandoc(text or ""), flags=re.M)
    return {"": parts[0].strip(), **{name: body.rstrip() for name, body in zip(parts[1::2], parts[2::2])}}


def entries(body):
    """[("name : type", "what it is"), ...] of a section of parameters."""
    out = []
    for line in (body or "").splitlines():
        if line and not line[0].isspace():
            out.append((line.strip(), []))
        elif line.strip():
            out[-1][1].append(line.strip())
    return [(head, " ".join(lines)) for head, lines in out]


def plain(text):
    """reStructuredText's literals as Markdown's, and nothing that Markdown would take for emphasis."""
    return re.sub(r"``([^`]*)``", r"`\1`", text)


def wrapped(text, indent=""):
    """Lines of at most 120 columns."""
    out, line = [], indent
    for word in text.split():
        if len(line) + len(word) + 1 > 120 and line.strip():
            out.append(line.rstrip())
            line = " " * len(indent.replace("- ", "  "))
        line += word + " "
    return "\n".join([*out, line.rstrip()])


def item(head, text):
    name, _, kind = head.partition(" : ")
    names = ", ".join(f"`{part.strip()}`" for part in name.split(","))
    return wrapped(f"**{names}**{f' ({plain(kind)})' if kind else ''}: {plain(text)}", "- ")


def paragraphs(text):
    return "\n\n".join(wrapped(plain(part)) for part in text.split("\n\n"))


def signature(function, name, drop=("self",)):
    """One line, or several that begin with a parameter."""
    given = inspect.signature(function)
    parameters = [p.replace(annotation=p.empty) for p in given.parameters.values() if p.name not in drop]
    text = name + str(given.replace(parameters=parameters, return_annotation=given.empty))
    return "```python\n" + wrapped(text, "").replace("\n", "\n    ") + "\n```"


def shared_of(classes, section):
    """{entry: names of the classes that have it}, in the order of first appearance."""
    out = {}
    for cls in classes:
        for entry in entries(sections(cls.__doc__).get(section)):
            out.setdefault(entry, []).append(cls.__name__)
    return out


def of_whom(names, classes):
    """ " (classifiers)", the names themselves, or nothing for all."""
    for word, kind in (
        ("", classes),
        ("classifiers", filter(is_classifier, classes)),
        ("regressors", filter(is_regressor, classes)),
    ):
        if set(names) == {cls.__name__ for cls in kind}:
            return f" ({word})" if word else ""
    return f" ({', '.join(names)})"


def is_classifier(cls):
    return issubclass(cls, ClassifierMixin)


def is_regressor(cls):
    return issubclass(cls, RegressorMixin)


def shared_list(shared, classes, of):
    lines = [
        wrapped(item(*entry)[2:] + of_whom(names, classes), "- ") for entry, names in shared.items() if len(names) > 1
    ]
    return f"## {of}\n\n" + "\n".join(lines)


def methods(classes):
    """Public methods that this package documents: signature, and the first line of the docstring."""
    out = {}
    for cls in classes:
        for name, member in inspect.getmembers(cls):
            function = inspect.unwrap(member) if callable(member) else None
            if name.startswith("_") or not inspect.isfunction(function) or not function.__module__.startswith("lacuna"):
                continue
            key = (name, str(inspect.signature(function)), sections(function.__doc__)[""].split("\n\n")[0])
            out.setdefault(key, []).append(cls.__name__)
    lines = []
    for (name, parameters, text), names in sorted(out.items(), key=lambda one: (one[0][0], -len(one[1]))):
        call = f"{name}{parameters.replace('(self, ', '(').replace('(self)', '()')}"
        lines.append(wrapped(f"**`{call}`**: {plain(' '.join(text.split()))}{of_whom(names, classes)}", "- "))
    return "## Methods\n\n" + "\n".join(lines)


def estimator(cls, shared):
    text = sections(cls.__doc__)
    out = [f"### {cls.__name__}", signature(cls.__init__, cls.__name__), paragraphs(text[""])]
    own = [item(*entry) for entry in entries(text.get("Parameters")) if len(shared[entry]) == 1]
    return "\n\n".join(out + (["\n".join(own)] if own else []))


def function(f):
    text = sections(f.__doc__)
    out = [f"### {f.__name__}", signature(f, f.__name__), paragraphs(text[""])]
    for section in ("Parameters", "Returns"):
        if entries(text.get(section)):
            out.append(section + ":\n\n" + "\n".join(item(*entry) for entry in entries(text[section])))
    return "\n\n".join(out)


def described(cls):
    text = sections(cls.__doc__)
    out = [f"### {cls.__name__}", paragraphs(text[""])]
    for section in ("Parameters", "Attributes"):
        if entries(text.get(section)):
            out.append(section + ":\n\n" + "\n".join(item(*entry) for entry in entries(text[section])))
    return "\n\n".join(out)


def code(text):
    """The indented blocks of a docstring."""
    lines = inspect.cleandoc(text).splitlines()
    return "\n".join(line for line in lines if line.startswith("    ") or not line).strip("\n")


def results(cls):
    text = sections(cls.__doc__)
    listed = "\n".join(item(*entry) for entry in entries(text["Attributes"]))
    return f"### {cls.__name__}\n\n{paragraphs(text[''])}\n\n{listed}"


def display(cls):
    made = cls.from_estimator
    out = [
        f"### {cls.__name__}",
        signature(made, f"{cls.__name__}.from_estimator", ("cls",)),
        paragraphs(sections(cls.__doc__)[""]),
    ]
    out.append(
        "\n".join(
            item(*entry)
            for entry in entries(sections(made.__doc__).get("Parameters"))
            if not entry[0].startswith(("ax :", "**kwargs", "estimator :"))
        )
    )
    out.append(
        "Attributes:\n\n"
        + "\n".join(
            item(*entry) for name in ("Parameters", "Attributes") for entry in entries(sections(cls.__doc__).get(name))
        )
    )
    return "\n\n".join(part for part in out if part)


def page():
    public = {name: getattr(lacuna, name) for name in lacuna.__all__}
    estimators = [c for c in public.values() if inspect.isclass(c) and hasattr(c, "fit")]
    notices = [c for c in public.values() if inspect.isclass(c) and issubclass(c, BaseException)]
    functions = [f for f in public.values() if inspect.isfunction(f)]
    displays = [getattr(lacuna.display, name) for name in lacuna.display.__all__]
    parameters, attributes = shared_of(estimators, "Parameters"), shared_of(estimators, "Attributes")
    return (
        "\n\n".join(
            [
                "# Python: reference",
                "Made from the docstrings by `scripts/python_reference.py`. "
                "Begin with the [tutorial](python-tutorial.md).",
                "## Estimators",
                "Parameters that are not described with a class are those of [all](#parameters).",
                *(estimator(cls, parameters) for cls in estimators),
                shared_list(parameters, estimators, "Parameters"),
                shared_list(attributes, estimators, "Attributes of fitted estimators"),
                methods(estimators),
                "## Functions",
                *(function(f) for f in functions),
                results(lacuna.Explanation),
                "## Steps",
                paragraphs(sections(lacuna.steps.__doc__)[""].partition("::")[0] + ":")
                + "\n\n" + code(lacuna.steps.__doc__),
                described(lacuna.steps.Columns),
                described(lacuna.steps.Plan),
                *(function(f) for f in map(vars(lacuna.steps).get, lacuna.steps.__all__) if inspect.isfunction(f)),
                "## Dask",
                "In `lacuna.dask`: " + ", ".join(f"`{name}`" for name in lacuna.dask.__all__) + ".",
                described(lacuna.dask.DaskEstimator),
                methods([lacuna.dask.DaskClassifier, lacuna.dask.DaskRegressor]).partition("\n\n")[2],
                "## Displays",
                paragraphs(sections(lacuna.display.__doc__)[""])
                + "\n\n`estimator` is a fitted one, `ax` matplotlib's axes "
                "(None: a new figure); what else is given goes to matplotlib.",
                *(display(cls) for cls in displays),
                "## Errors and warnings",
                "\n".join(
                    wrapped(
                        f"**`{c.__name__}`** ({', '.join(b.__name__ for b in c.__bases__)}): "
                        f"{plain(sections(c.__doc__)[''])}",
                        "- ",
                    )
                    for c in notices
                ),
            ]
        )
        + "\n"
    )


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else PAGE
    if where == "-":
        sys.stdout.write(page())
    else:
        Path(where).write_text(page())


if __name__ == "__main__":
    main()

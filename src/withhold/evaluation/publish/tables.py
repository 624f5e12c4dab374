"""What came of evaluating a way of publishing, as tables."""

from __future__ import annotations

from typing import Any

Report = dict[str, Any]

BUDGETS = (
    "#inspected",
    "#positives first",
    "#ranked by score",
    "#at random",
    "#ranked / random",
    "#ranked, of all",
    "#at most",
)
COMPARED = ("way", "#kept", "#published", "#left", "#called", "#ranked, 1 %", "#iterations")
BOUNDS = ("theorem", "about", "#folds", "#held", "#nearest")

_ABOUT = {
    "2": "when to stop",
    "3": "called rightly",
    "4": "ratio to chance",
    "5": "called, by a sample",
    "6": "ratio, by a sample",
}


def headlines(report: Report) -> list[tuple[str, str]]:
    """How much is published, and how much is left."""
    low, high = report["residual_range"]
    attacker, upper = report["attacker"], report["bounds"]["upper"]
    likely = max(each for each in upper["residual"].values() if each is not None)
    return [
        ("words", f"{report['words']}"),
        ("sensitive", ", ".join(report["labels"])),
        ("sensitive words", f"{report['sensitive']}"),
        ("other words kept", f"{report['kept']:.4f}"),
        ("words published", f"{report['publish_ratio']:.4f}"),
        ("could be at most", f"{report['cap']:.4f}"),
        ("sensitive words left", f"{report['residual_share']:.4f}"),
        ("95 %", f"{low:.4f}-{high:.4f}"),
        ("at most, in other documents", f"{likely:.4f}"),
        ("iterations", ", ".join(map(str, report["iterations"]))),
        ("called so by the best attacker", f"{attacker['tp']} ({attacker['fp']} wrongly)"),
        (
            "folds at a local optimum",
            f"{sum(each['2']['local_optimum'] for each in report['bounds']['folds'])} of {len(report['iterations'])}",
        ),
    ]


def budgets(report: Report) -> list[tuple[str, ...]]:
    """What is found by how many words inspected; at most: by score, in other documents, of all sensitive words."""
    return [
        (
            f"{each['inspected']:.1%}",
            f"{each['paper']:.1f}",
            f"{each['ranked']}",
            f"{each['uniform']:.1f}",
            "-" if each["ranked_ratio"] is None else f"{each['ranked_ratio']:.1f}",
            f"{each['found_share']:.4f}",
            f"{max(bound for bound in (likely['binomial'], likely['bootstrap']) if bound is not None):.4f}",
        )
        for each, likely in zip(report["budgets"], report["bounds"]["upper"]["ranked"], strict=True)
    ]


def bounds(report: Report) -> list[tuple[str, ...]]:
    """In how many folds each theorem says something, in how many it held, and the nearest that came to its bound."""
    rows: list[tuple[str, ...]] = []
    for name, about in _ABOUT.items():
        several = [fold[name] for fold in report["bounds"]["folds"]]
        told = [each for each in several if each["holds"] is not None]
        near = [each["measured"] / each["bound"] for each in told if each.get("bound")]
        nearest = f"{max(near):.3g} of it" if near else "-"
        rows.append((name, about, f"{len(told)}", f"{sum(each['holds'] for each in told)}", nearest))
    return rows


def compared(report: Report) -> list[tuple[str, ...]]:
    """The figures of every way."""
    return [
        (
            name,
            f"{each['kept']:.4f}",
            f"{each['publish_ratio']:.4f}",
            f"{each['residual_share']:.4f}",
            f"{each['attacker']['tp']}",
            f"{next(at['found_share'] for at in each['budgets'] if at['inspected'] == 0.01):.4f}",
            ", ".join(map(str, each["iterations"])) if any(n > 1 for n in each["iterations"]) else "",
        )
        for name, each in report["compared"].items()
    ]

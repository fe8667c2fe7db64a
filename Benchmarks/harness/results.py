"""Writes the page of results."""

import importlib
from pathlib import Path
from typing import Any, Dict, List

import common

REASONS = Path(__file__).resolve().parents[1] / "SHORTFALLS.md"


def row(figure: common.Figure) -> str:
    verdict = {True: "holds", False: "**missed**", None: ""}[figure.holds]
    goal = ""
    if figure.goal is not None:
        goal = f"{'≥' if figure.at_least else '≤'} {common.number(figure.goal)} {figure.unit}"
    command = f"`{figure.command}`" if figure.command else f"`Tools/bench --only {figure.part}`"
    note = f" ({figure.note})" if figure.note else ""
    return (f"| {figure.what}{note} | {figure.seed} | {goal} "
            f"| {common.number(figure.measured)} {figure.unit} | {verdict} | {command} |")


def rows(figures: List[common.Figure]) -> str:
    head = "| what | seed | goal | measured | | shown by |\n|---|---|---|---|---|---|\n"
    return head + "\n".join(map(row, figures)) + "\n"


def page(content: Dict[str, Any]) -> str:
    """The page, what falls short first."""
    figures = [common.Figure(**figure) for figure in content["figures"]]
    machine = content["machine"]
    missed = [figure for figure in figures if figure.holds is False]
    others = [figure for figure in figures if figure.holds is not False]
    text = ["# Results", "",
            f"Written by `{content['command']}` on {machine['date']} at commit "
            f"{machine['commit']}: {machine['processor']}, {machine['cores']} cores, "
            f"{machine['memory']}, {machine['system']}, {machine['swift']}. "
            f"Data: {content['data']}. Release build, one thread but for batches and tables, warm unless it says cold. "
            "Times of machines that others use too vary; compare within one run.", ""]
    older = {part: result["commit"] for part, result in content["parts"].items()
             if result.get("commit", machine["commit"]) != machine["commit"]}
    if older:
        text += ["Measured before, and not anew: "
                 + ", ".join(f"{part} at {commit}" for part, commit in older.items()) + ".", ""]
    if missed:
        text += ["## What falls short", "", rows(missed)]
        if REASONS.exists():
            text += [REASONS.read_text().strip(), ""]
    text += ["## What holds", "", rows(others)]
    for part, result in content["parts"].items():
        if "failed" in result:
            text += [f"## {part.capitalize()}", "", f"Failed: {result['failed']}", ""]
            continue
        report = importlib.import_module(part).report(result)
        text += [f"## {part.capitalize()}", "", "```", report.strip("\n"), "```", ""]
        if part == "growth":
            text += ["![Figures over the number of taxa](growth.svg)", ""]
    return "\n".join(text)

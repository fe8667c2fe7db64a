"""Small multiples as SVG: figures over n, both axes logarithmic.

Lines with filled circles are made-up data, diamonds are real data; a second
line of a panel is dashed.  Shapes and labels tell everything, so that colour is
never needed, and the picture brings its own background, light or dark.
"""

import math
from html import escape
from pathlib import Path
from typing import Iterator, List, NamedTuple, Sequence, Tuple, Union

Point = Tuple[float, float]


class Series(NamedTuple):
    label: str
    points: Sequence[Point]


class Panel(NamedTuple):
    title: str
    unit: str
    note: str                 # stands at the right of the title
    lines: Sequence[Series]   # made-up data
    marks: Sequence[Series]   # real data


COLUMNS = 3
WIDTH, HEIGHT = 300, 220                          # of a panel
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 40, 34         # around the plot in it
HEAD = 64

STYLE = """
  .ground { fill: #ffffff } .frame { fill: none; stroke: #8a929c } .grid { stroke: #e3e6ea }
  text { font: 11px system-ui, sans-serif; fill: #24292f }
  .heading { font-size: 16px; font-weight: 600 } .title { font-size: 13px; font-weight: 600 }
  .quiet { fill: #57606a } .line { fill: none; stroke: #0a5ca8; stroke-width: 1.6 }
  .dashed { stroke-dasharray: 5 3 } .made { fill: #0a5ca8 }
  .real { fill: #ffffff; stroke: #a8480a; stroke-width: 1.8 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #161b22 } .frame { stroke: #6e7681 } .grid { stroke: #2b323b }
    text { fill: #e6edf3 } .quiet { fill: #9aa4af } .line { stroke: #6cb6ff }
    .made { fill: #6cb6ff } .real { fill: #161b22; stroke: #ffab70 }
  }"""


class Axis:
    """A logarithmic axis from a pixel to another."""

    def __init__(self, values: Sequence[float], first: float, last: float, decades: float):
        low, high = math.log10(min(values)), math.log10(max(values))
        room = max(0.0, decades - (high - low)) / 2 + 0.15
        self.low, self.high, self._first, self._last = low - room, high + room, first, last

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self._first + share * (self._last - self._first), 1)

    def ticks(self) -> List[float]:
        """Powers of ten; where fewer than two are seen, numbers between them too."""
        def seen(steps: Sequence[int]) -> List[float]:
            found = []
            for power in range(math.floor(self.low), math.ceil(self.high) + 1):
                found += [step * 10.0 ** power for step in steps
                          if self.low <= math.log10(step * 10.0 ** power) <= self.high]
            return found
        powers = seen([1])
        if len(powers) > 5:
            return powers[::2]
        if len(powers) >= 2:
            return powers
        return seen([1, 2, 5]) if len(seen([1, 2, 5])) >= 2 else seen([1, 2, 3, 5, 7])


def write(path: Union[str, Path], heading: str, panels: Sequence[Panel]) -> None:
    rows = math.ceil(len(panels) / COLUMNS)
    width, height = COLUMNS * WIDTH + 16, HEAD + rows * HEIGHT + 8
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" role="img" aria-label="{escape(heading)}">',
             f"<style>{STYLE}\n</style>",
             f'<rect class="ground" width="{width}" height="{height}"/>',
             f'<text class="heading" x="16" y="26">{escape(heading)}</text>', *_legend()]
    for number, panel in enumerate(panels):
        x, y = number % COLUMNS * WIDTH, HEAD + number // COLUMNS * HEIGHT
        parts += [f'<g transform="translate({x} {y})">', *_panel(panel), "</g>"]
    Path(path).write_text("\n".join(parts) + "\n</svg>\n")


def _legend() -> Iterator[str]:
    y = 46
    yield f'<path class="line" d="M16 {y}H44"/><circle class="made" cx="30" cy="{y}" r="3.5"/>'
    yield f'<text x="52" y="{y + 4}">made-up data</text>'
    yield _diamond(150, y) + f'<text x="162" y="{y + 4}">real data</text>'
    yield (f'<text class="quiet" x="236" y="{y + 4}">'
           'across: number of taxa; both axes logarithmic</text>')


def _panel(panel: Panel) -> Iterator[str]:
    everything = [point for series in [*panel.lines, *panel.marks] for point in series.points]
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    yield (f'<text class="title" x="{LEFT}" y="20">{escape(panel.title)}'
           f'<tspan class="quiet" font-weight="400">, {escape(panel.unit)}</tspan></text>')
    yield f'<text class="quiet" x="{right}" y="20" text-anchor="end">{escape(panel.note)}</text>'
    if not everything:
        return
    across = Axis([x for x, _ in everything], LEFT, right, 1)
    up = Axis([y for _, y in everything], bottom, TOP - 8, 1)
    for value in up.ticks():
        y = up(value)
        yield f'<path class="grid" d="M{LEFT} {y}H{right}"/>'
        yield _tick(LEFT - 6, y + 4, "end", value)
    for value in across.ticks():
        x = across(value)
        yield f'<path class="grid" d="M{x} {TOP - 8}V{bottom}"/>'
        yield _tick(x, bottom + 15, "middle", value)
    yield (f'<rect class="frame" x="{LEFT}" y="{TOP - 8}" width="{right - LEFT}" '
           f'height="{bottom - TOP + 8}"/>')
    for number, series in enumerate(panel.lines):
        places = [(across(x), up(y)) for x, y in sorted(series.points)]
        if not places:
            continue
        style = "line" if number == 0 else "line dashed"
        yield f'<path class="{style}" d="M{" L".join(f"{x} {y}" for x, y in places)}"/>'
        for (x, y), point in zip(places, sorted(series.points)):
            circle = f'<circle class="made" cx="{x}" cy="{y}" r="3.5"/>'
            yield _marked(circle, point, panel, "made up")
        if series.label:
            x, y = places[0]
            yield f'<text x="{x + 2}" y="{y - 8}">{escape(series.label)}</text>'
    for series in panel.marks:
        for point in series.points:
            yield _marked(_diamond(across(point[0]), up(point[1])), point, panel, "real")


def _tick(x: float, y: float, anchor: str, value: float) -> str:
    return f'<text class="quiet" x="{x}" y="{y}" text-anchor="{anchor}">{_short(value)}</text>'


def _diamond(x: float, y: float) -> str:
    return f'<path class="real" d="M{x} {y - 5}l5 5l-5 5l-5 -5z"/>'


def _marked(shape: str, point: Point, panel: Panel, kind: str) -> str:
    """A shape that says its values when it is pointed at."""
    text = f"{kind}, {point[0]:,.0f} taxa: {point[1]:.4g} {panel.unit}"
    return f"<g><title>{escape(text)}</title>{shape}</g>"


def _short(value: float) -> str:
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"

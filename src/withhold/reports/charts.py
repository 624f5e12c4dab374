"""Small pictures of shares between 0 and 1, one for each row of a table; the numbers stand beside them as text."""

from __future__ import annotations

_WIDTH, _HEIGHT, _MIDDLE, _EDGE = 240, 26, 13, 12


def _at(share: float) -> float:
    return round(_EDGE + (_WIDTH - 2 * _EDGE) * min(max(share, 0.0), 1.0), 1)


def _svg(parts: list[str], width: int = _WIDTH, height: int = _HEIGHT) -> str:
    # The cells beside a picture say the same in numbers, so whoever does not see it misses nothing.
    return f'<svg viewBox="0 0 {width} {height}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'


def _line(name: str, share: float, reach: int) -> str:
    return f'<path class="{name}" d="M{_at(share)} {_MIDDLE - reach}V{_MIDDLE + reach}"/>'


def _track() -> str:
    return f'<path class="track" d="M{_at(0)} {_MIDDLE}H{_at(1)}"/>'


def _before(share: float) -> str:
    return f'<circle class="before" cx="{_at(share)}" cy="{_MIDDLE}" r="5"/>'


def _after(share: float, x: float | None = None, *, lost: bool = False) -> str:
    x = _at(share) if x is None else x
    return f'<path class="after{" lost" if lost else ""}" d="M{x} {_MIDDLE - 6}l6 6l-6 6l-6 -6z"/>'


def scale() -> str:
    """The scale above a column of pictures."""
    told = ((0.0, "0", "start"), (0.5, "50 %", "middle"), (1.0, "100 %", "end"))
    parts = [f'<text class="scale" x="{_at(at)}" y="10" text-anchor="{end}">{text}</text>' for at, text, end in told]
    return _svg(parts, height=13)


def risk(before: float, after: float, ceiling: float) -> str:
    """A risk before and after, and where it may be."""
    zone = f'<rect class="zone" x="{_at(0)}" y="{_MIDDLE - 8}" width="{round(_at(ceiling) - _at(0), 1)}" height="16"/>'
    way = f'<path class="way" d="M{_at(before)} {_MIDDLE}H{_at(after)}"/>'
    return _svg(
        [zone, _track(), way, _line("ceiling", ceiling, 11), _before(before), _after(after, lost=after > ceiling)]
    )


def attack(
    baseline: float | None, before: float | None, result: float, interval: tuple[float, float], *, lost: bool = False
) -> str:
    """What an attack gains by chance, from the source, and from the redaction, with the interval."""
    low, high = (_at(each) for each in interval)
    caps = f"M{low} {_MIDDLE - 4}V{_MIDDLE + 4}M{low} {_MIDDLE}H{high}M{high} {_MIDDLE - 4}V{_MIDDLE + 4}"
    parts = [_track(), f'<path class="reach" d="{caps}"/>']
    parts += [_line("chance", baseline, 11)] if baseline is not None else []
    parts += [_before(before)] if before is not None else []
    return _svg([*parts, _after(result, lost=lost)])


def sign(name: str) -> str:
    """One sign of a legend."""
    middle = 12
    drawn = {
        "before": f'<circle class="before" cx="{middle}" cy="{_MIDDLE}" r="5"/>',
        "after": _after(0, middle),
        "ceiling": f'<path class="ceiling" d="M{middle} 2V24"/>',
        "chance": f'<path class="chance" d="M{middle} 2V24"/>',
        "reach": f'<path class="reach" d="M2 9V17M2 {_MIDDLE}H22M22 9V17"/>',
        "zone": '<rect class="zone" x="0" y="5" width="24" height="16"/>',
    }
    return _svg([drawn[name]], 24)

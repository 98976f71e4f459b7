"""Numbers as text: one way to write each kind."""

from __future__ import annotations

import math

MINUS = "−"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def fixed(value: float, digits: int = 2) -> str:
    """Write a number with `digits` decimals, a true minus sign, and none before a zero.

    >>> fixed(-0.004), fixed(-1.5, 1)
    ('0.00', '−1.5')
    """
    # Adding 0.0 turns -0.0 into 0.0.
    return _sign(f"{round(float(value), digits) + 0.0:.{digits}f}")


def signed(value: float, digits: int = 2) -> str:
    """Write a number as `fixed` does, with a plus before positive ones.

    >>> signed(0.25), signed(0.0), signed(-0.25)
    ('+0.25', '0.00', '−0.25')
    """
    text = fixed(value, digits)
    return f"+{text}" if value > 0 and float(text) else text


def percent(share: float, digits: int = 1) -> str:
    """Write a share of one in hundredths; a positive share never becomes 0%.

    >>> percent(0.256), percent(0.256, 0), percent(0.0004), percent(0.005, 0)
    ('25.6%', '26%', '< 0.1%', '< 1%')
    """
    # "< 0.1%" instead of "0.0%": a small share is not none.
    share = float(share)
    smallest = 10.0**-digits
    # Half of it would be rounded to the even 0.
    if 0 < 100 * share <= smallest / 2:
        return f"< {smallest:.{digits}f}%"
    return f"{fixed(100 * share, digits)}%"


def scientific(value: float) -> str:
    """Write two digits and a power of ten, with a true minus sign; zero is a plain 0.

    >>> scientific(9.54e-7), scientific(-2e7), scientific(0.0)
    ('9.5e−07', '−2.0e+07', '0')
    """
    return _sign(f"{value:.1e}") if value else "0"


def grouped(n: int) -> str:
    """Write a whole number with separated thousands.

    >>> grouped(999), grouped(12345)
    ('999', '12,345')
    """
    return f"{n:,}"


def factor(log_ratio: float) -> str:
    """Write a factor from its natural logarithm, to two digits; beyond a million a power of ten.

    >>> factor(0.4), factor(4.0), factor(5.0), factor(9.0), factor(30.0)
    ('1.5', '55', '150', '8,100', '10¹³')
    """
    if log_ratio >= math.log(1e6):
        return "10" + f"{log_ratio / math.log(10):.0f}".translate(_RAISED)
    ratio = math.exp(log_ratio)
    # Rounding by ".1e" keeps two significant digits.
    return f"{ratio:.1f}" if ratio < 10 else grouped(round(float(f"{ratio:.1e}")))


def short(value: float) -> str:
    """Write a number with as few digits as identify it, six at most.

    >>> short(2.0), short(-0.6), short(1e-7), short(float("inf"))
    ('2', '−0.6', '1e−07', '∞')
    """
    return _sign(f"{value:g}")


def compact(value: float) -> str:
    """Write two decimals, fewer for large numbers.

    >>> compact(-2.5), compact(123.45), compact(12345.6)
    ('−2.50', '123.5', '12346')
    """
    # The limits are those at which rounding would add a digit before the point.
    return fixed(value, 2 if abs(value) < 99.995 else 1 if abs(value) < 9999.95 else 0)


def duration(seconds: float, digits: int = 1) -> str:
    """Write seconds, milliseconds or microseconds, whichever reads best.

    >>> duration(2.5), duration(0.0274), duration(0.0274, 0), duration(4e-5)
    ('2.5 s', '27.4 ms', '27 ms', '40 µs')
    """
    if seconds >= 1:
        return f"{seconds:.{digits}f} s"
    return f"{seconds * 1e3:.{digits}f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f} µs"


def size(n_bytes: float) -> str:
    """Write bytes, in thousands or millions if there are many.

    >>> size(800), size(1234), size(999_960), size(2_500_000)
    ('800 B', '1.2 kB', '1.0 MB', '2.5 MB')
    """
    # The limit is that at which rounding would write 1000.0 kB.
    if n_bytes >= 999_950:
        return f"{n_bytes / 1e6:.1f} MB"
    return f"{n_bytes / 1e3:.1f} kB" if n_bytes >= 1e3 else f"{n_bytes} B"


WRITERS = (fixed, signed, percent, scientific, grouped, factor, short, compact, duration, size)
"""Functions that messages may write a number with, by their names in capitals."""


def _sign(text: str) -> str:
    """Replace the ASCII minus and "inf" by their signs."""
    return text.replace("-", MINUS).replace("inf", "∞")

# SPDX-License-Identifier: MIT
"""Exact arithmetic for make_cases.py: floats as fractions, rounded once.

Independent of the executor on purpose: nothing here is shared with it, and no
host floating point takes part.
"""
from fractions import Fraction


class Fmt:
    """A binary floating-point format of IEEE 754 shape."""

    def __init__(self, ebits, mbits):
        self.ebits, self.mbits = ebits, mbits
        self.bits = 1 + ebits + mbits
        self.emax = (1 << ebits) - 1
        self.bias = self.emax >> 1
        self.sign = 1 << (ebits + mbits)
        self.inf = self.emax << mbits
        self.qnan = self.inf | 1 << (mbits - 1)
        self.max = self.inf - 1
        self.min_normal = 1 << mbits
        self.one = self.bias << mbits

    def is_nan(self, b):
        return (b & ~self.sign) > self.inf

    def is_inf(self, b):
        return (b & ~self.sign) == self.inf

    def is_zero(self, b):
        return (b & ~self.sign) == 0

    def is_denorm(self, b):
        return 0 < (b & ~self.sign) < self.min_normal

    def neg(self, b):
        return b ^ self.sign

    def value(self, b):
        """A finite number as a fraction (zero without its sign)."""
        e, m = (b >> self.mbits) & self.emax, b & ((1 << self.mbits) - 1)
        v = Fraction(m if e == 0 else m | 1 << self.mbits)
        v *= Fraction(2) ** ((e or 1) - self.bias - self.mbits)
        return -v if b & self.sign else v

    def round(self, v, zero_sign=0, mode="rne", flush=False):
        """The nearest number to fraction v; zero_sign: the sign bit when v is 0."""
        if v == 0:
            return self.sign if zero_sign else 0
        s, a = (self.sign if v < 0 else 0), abs(v)
        e = a.numerator.bit_length() - a.denominator.bit_length()
        if a < Fraction(2) ** e:
            e -= 1
        e = max(e, 1 - self.bias)
        unit = Fraction(2) ** (e - self.mbits)
        q = a / unit
        n = q.numerator // q.denominator
        rest = q - n
        up = {"rne": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1),
              "up": rest > 0 and not s, "down": rest > 0 and s, "zero": False}[mode]
        n += bool(up)
        if n >> (self.mbits + 1):
            n >>= 1
            e += 1
        if e > self.bias:
            to_inf = mode == "rne" or (mode == "up" and not s) or (mode == "down" and s)
            return s | (self.inf if to_inf else self.max)
        if n < 1 << self.mbits:  # denormal or zero
            return s | (0 if flush else n)
        return s | (e + self.bias) << self.mbits | (n & ((1 << self.mbits) - 1))


F16, F32, F64, BF16 = Fmt(5, 10), Fmt(8, 23), Fmt(11, 52), Fmt(8, 7)
NAN = "nan"


def flush_in(f, b, on):
    return b & f.sign if on and f.is_denorm(b) else b


def add(f, a, b, mode="rne", flush=False):
    a, b = flush_in(f, a, flush), flush_in(f, b, flush)
    if f.is_nan(a) or f.is_nan(b):
        return NAN
    if f.is_inf(a):
        return NAN if f.is_inf(b) and a != b else a
    if f.is_inf(b):
        return b
    if f.is_zero(a) and f.is_zero(b):
        if a == b:
            return a
        return f.sign if mode == "down" else 0
    return f.round(f.value(a) + f.value(b), mode == "down", mode, flush)


def mul(f, a, b, mode="rne", flush=False):
    a, b = flush_in(f, a, flush), flush_in(f, b, flush)
    if f.is_nan(a) or f.is_nan(b):
        return NAN
    s = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        return NAN if f.is_zero(a) or f.is_zero(b) else s | f.inf
    return f.round(f.value(a) * f.value(b), s, mode, flush)


def fma(f, a, b, c, mode="rne", flush=False):
    a, b, c = (flush_in(f, x, flush) for x in (a, b, c))
    if f.is_nan(a) or f.is_nan(b) or f.is_nan(c):
        return NAN
    s = (a ^ b) & f.sign
    if f.is_inf(a) or f.is_inf(b):
        if f.is_zero(a) or f.is_zero(b) or (f.is_inf(c) and (c & f.sign) != s):
            return NAN
        return s | f.inf
    if f.is_inf(c):
        return c
    v = f.value(a) * f.value(b) + f.value(c)
    if v == 0 and (f.is_zero(a) or f.is_zero(b)) and f.is_zero(c):
        zs = s if s == (c & f.sign) else (f.sign if mode == "down" else 0)
    else:
        zs = mode == "down"
    return f.round(v, zs, mode, flush)


def sqrt(f, a):
    """Correctly rounded: integer square root with a sticky remainder."""
    if f.is_nan(a):
        return NAN
    if f.is_zero(a):
        return a
    if a & f.sign:
        return NAN
    if f.is_inf(a):
        return a
    v = f.value(a)
    shift = 2 * (f.mbits + 8)
    e = v.numerator.bit_length() - v.denominator.bit_length()
    scale = shift - (e & ~1)
    x = v * Fraction(2) ** scale if scale >= 0 else v / Fraction(2) ** -scale
    n = x.numerator // x.denominator
    from math import isqrt
    r = isqrt(n)
    exact = r * r == x
    r2 = Fraction(2 * r + (0 if exact else 1), 2)  # sticky half
    return f.round(r2 * Fraction(2) ** (-scale // 2))


def key(f, b):
    """Total order in which -0 is below +0."""
    return -(b & ~f.sign) - 1 if b & f.sign else b


def convert(f, g, a, mode="rne"):
    if f.is_nan(a):
        return NAN
    s = g.sign if a & f.sign else 0
    if f.is_inf(a):
        return s | g.inf
    return g.round(f.value(a), s, mode)


def to_int(f, a, bits, signed, how="trunc"):
    """Saturating, NaN gives 0."""
    if f.is_nan(a):
        return 0
    lo, hi = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if f.is_inf(a):
        return (lo if a & f.sign else hi) & ((1 << bits) - 1)
    v = f.value(a)
    n = {"trunc": int(v), "floor": v.numerator // v.denominator, "rne": round(v),
         "half_up": (v + Fraction(1, 2)).numerator // (v + Fraction(1, 2)).denominator}[how]
    return max(lo, min(hi, n)) & ((1 << bits) - 1)


def integral(f, a, how):
    """floor, ceil, trunc, rne as a float of the same format; the sign of a zero is kept."""
    if f.is_nan(a):
        return NAN
    if f.is_inf(a) or f.is_zero(a):
        return a
    v = f.value(a)
    n = {"floor": v.numerator // v.denominator, "ceil": -((-v).numerator // (-v).denominator), "trunc": int(v), "rne": round(v)}[how]
    return f.round(Fraction(n), a & f.sign)


def sx(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v

"""Fiscal codes, fiscal data as text, and bar codes of tills. Keys and signatures are invented. `gross` has the sums in cents
by VAT class (see basket.RATES)."""

import base64
import random


def _key(dice: random.Random, size: int) -> str:
    return base64.b64encode(dice.randbytes(size)).decode()


def german(dice: random.Random, gross: dict, moment, is_cash: bool) -> str:
    """DSFinV-K annex I: 12 fields, five gross sums with points, times in UTC."""
    (year, month, day), (hour, minute, second) = moment
    sums = [gross.get("f", 0), gross.get("r", 0), 0, 0, 0]
    total = sum(sums)
    body = "_".join(f"{cents / 100:.2f}" for cents in sums)
    # Local time is an hour ahead of UTC, in summer two hours.
    offset = 2 if 4 <= month <= 10 else 1
    start = f"{year:04d}-{month:02d}-{day:02d}T{hour - offset:02d}:{minute:02d}:{second:02d}.000Z"
    paid = f"{total / 100:.2f}:{'Bar' if is_cash else 'Unbar'}"
    return ";".join([
        "V0", f"till-{dice.randrange(1000, 9999)}", "Kassenbeleg-V1", f"Beleg^{body}^{paid}", str(dice.randrange(1, 99999)),
        str(dice.randrange(1, 999999)), start, start, "ecdsa-plain-SHA256", "unixTime", _key(dice, 64), _key(dice, 65)])


def german_as_text(dice: random.Random, moment) -> list[str]:
    (year, month, day), (hour, minute, second) = moment
    signature = _key(dice, 96)
    at = f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}.000"
    return [
        "TSE-Signatur:   " + signature[:22], *("                " + signature[i : i + 22] for i in range(22, 88, 22)),
        f"TSE-Signaturzähler: {dice.randrange(1, 999999)}", f"TSE-Transaktion:    {dice.randrange(1, 99999)}", f"TSE-Start: {at}", f"TSE-Stop:  {at}"]


def austrian(dice: random.Random, gross: dict, moment, receipt: int) -> str:
    """RKSV §10: 13 fields, each after an underscore. Times are local."""
    (year, month, day), (hour, minute, second) = moment
    sums = [gross.get("f", 0), gross.get("r", 0), gross.get("m", 0), 0, 0]
    body = "_".join(f"{'-' if cents < 0 else ''}{abs(cents) // 100},{abs(cents) % 100:02d}" for cents in sums)
    return "_".join([
        "_R1-AT1", f"till{dice.randrange(1, 99)}", f"{receipt}", f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}", body,
        _key(dice, 5), f"{dice.randrange(16**8):08x}", _key(dice, 8), _key(dice, 64)])


def bar_code(kind: str, dice: random.Random, moment, market: str, receipt: int) -> str:
    (year, month, day), (hour, minute, second) = moment
    short = f"{year % 100:02d}"
    if kind == "itf22":
        return f"0888{market}{receipt:06d}02{day:02d}{month:02d}{short}"
    if kind == "itf":
        return f"{int(market):07d}{day:02d}{month:02d}{short}005{receipt:06d}"
    if kind == "itf24":
        return f"{market}002{receipt:05d}{short}{month:02d}{day:02d}{hour:02d}{minute:02d}{second:02d}"
    return f"99{dice.randrange(100):02d}{receipt:04d}{short}{month:02d}{day:02d}{dice.randrange(10**6):06d}"


ITF = {"0": "nnwwn", "1": "wnnnw", "2": "nwnnw", "3": "wwnnn", "4": "nnwnw", "5": "wnwnn", "6": "nwwnn", "7": "nnnww", "8": "wnnwn", "9": "nwnwn"}


def itf_widths(digits: str) -> list[int]:
    """The bar code Interleaved 2 of 5: widths of bars and gaps in turn, beginning with a bar."""
    wide = {"n": 1, "w": 3}
    widths = [1, 1, 1, 1]
    for i in range(0, len(digits), 2):
        for bar, gap in zip(ITF[digits[i]], ITF[digits[i + 1]]):
            widths += [wide[bar], wide[gap]]
    return widths + [3, 1, 1]


# Code 128: code set C and its check digit, from the table of ISO/IEC 15417.
CODE128 = """212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221
223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113
132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113
312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111
241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113
411311 113141 114131 311141 411131 211412 211214 211232 2331112""".split()


def code128_widths(digits: str) -> list[int]:
    values = [105] + [int(digits[i : i + 2]) for i in range(0, len(digits), 2)]
    check = (values[0] + sum(i * value for i, value in enumerate(values))) % 103
    return [int(width) for value in [*values, check, 106] for width in CODE128[value]]

r"""Long stretches of one byte, written short: fuzzers make short inputs, while many limits are far away."""

from __future__ import annotations

import re

BLOCK = 512

_STRETCH = re.compile(rb"\xfe(.)(.)", re.DOTALL)


def expanded(data: bytes, most: int = 300 * 1024) -> bytes:
    r"""`data` with each `\xfe n b` replaced by 512 * n bytes b, and by 8 * n line ends.

    No UTF-8 holds that byte, so no text is changed.

    Stretches that would make it longer than about `most` bytes are left out, lest a short input take long.
    """
    left = most

    def stretch(found: re.Match[bytes]) -> bytes:
        nonlocal left
        # Lines cost more time than bytes, and the limit on them is nearer.
        length = (8 if found[2] == b"\n" else BLOCK) * found[1][0]
        if length > left:
            return b""
        left -= length
        return found[2] * length

    return _STRETCH.sub(stretch, data)


def pieces(data: bytes, sizes: bytes) -> list[bytes]:
    """`data` cut in pieces of the sizes given, again and again from the first; a size of 0 is a long one.

    The sizes are those of short data; of longer data all pieces are longer, so that they are never many.
    """
    scale = max(1, len(data) // 512)
    cut = []
    at = 0
    for number in range(len(data)):
        if at >= len(data):
            break
        size = (sizes[number % len(sizes)] * scale if sizes else 0) or 65_536
        cut.append(data[at : at + size])
        at += size
    return cut

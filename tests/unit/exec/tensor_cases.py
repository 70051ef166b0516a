# SPDX-License-Identifier: MIT
"""Tensor moves of gfx1250, and LDS_DIRECT as an instruction.  Part of make_cases.py; the descriptor's layout as in Triton's notes."""

X = "tensors"
LDS = 0x100


def memory(at, bytes):
    return sum((((at + i) * 7 + (at + i >> 8)) & 255) << 8 * i for i in range(bytes))


def descriptor(size, tile, tensor=(), strides=(), offset=0, pad=None, barrier=None, again=None, rows=None, count=1):
    """Moves that make s[8:11], s[12:19] (and s[20:27]); size: log2 of an element's bytes; strides: of the second dimension on."""
    tile, tensor, strides = list(tile) + [0] * 5, list(tensor) + [0xffff] * 5, list(strides) + [0] * 4
    words = {8: count, 9: LDS}
    words[12] = size << 16 | (1 << 18 if barrier is not None else 0) | (1 << 19 if again else 0) | (1 << 20 | pad[0] << 22 | pad[1] << 25 if pad else 0)
    words[13] = (barrier or 0) >> 3 | (tensor[0] & 0xffff) << 16
    words[14] = tensor[0] >> 16 | (tensor[1] & 0xffff) << 16
    words[15] = tensor[1] >> 16 | tile[0] << 16
    words[16] = tile[1] | tile[2] << 16
    words[17] = strides[0] & 0xffffffff
    words[18] = strides[0] >> 32 | (strides[1] & 0xffff) << 16
    words[19] = strides[1] >> 16
    words.update({20: tensor[2], 21: tensor[3], 22: strides[2], 23: tile[3] << 16, 24: strides[3], 25: (tensor[4] & 0xffff) << 16, 26: tensor[4] >> 16 | tile[4] << 16, 27: 0})
    if again:
        words.update({21: again[0], 22: again[1], 23: again[2] << 16})
    if rows:
        bits, numbers = rows
        words[8] |= 1 << 31 | (1 << 30 if bits == 32 else 0)
        packed = sum(n << bits * i for i, n in enumerate(numbers))
        words.update({20 + i: packed >> 32 * i & 0xffffffff for i in range(8)})
    return "s_add_co_u32 s10, s4, 0x%x; s_add_co_ci_u32 s11, s5, 0; s_or_b32 s11, s11, 0x80000000; " % offset + "; ".join("s_mov_b32 s%d, 0x%x" % w for w in sorted(words.items())) + "; "


FILL = "v_mov_b32 v8, 0x%x; v_mov_b32 v30, -1; v_mov_b32 v31, -1; v_mov_b32 v32, -1; v_mov_b32 v33, -1; ds_store_b128 v8, v[30:33]; ds_store_b128 v8, v[30:33] offset:16; " % LDS
READ = "; s_wait_tensorcnt 0; ds_load_b128 v[20:23], v8; ds_load_b128 v[24:27], v8 offset:16"
OUT = "v20@0 v21@0 v22@0 v23@0 v24@0 v25@0 v26@0 v27@0"
NONE = 0xffffffff


def loads(m):
    def B(title, desc, want, groups=2, pre="", post="", ins="", outs="", more=((), ())):
        text = FILL + desc + pre + "tensor_load_to_lds s[8:11], s[12:19]" + (", s[20:23], s[24:27]" if groups == 4 else "") + READ + post
        m.block(X, text, "s[4:5]" + ins, OUT + outs, [("@0",) + tuple(more[0]) + tuple(list(want) + [NONE] * 8)[:8] + tuple(more[1])], ["gfx1250"], title=title)
    words = lambda *at: [memory(4 * a, 4) for a in at]
    def halves(*hs):
        hs = list(hs) + [0xffff] * (len(hs) % 2)
        return [hs[i] | hs[i + 1] << 16 for i in range(0, len(hs), 2)]
    h = lambda a: memory(0x20 + 2 * a, 2)
    B("a run", descriptor(2, [5], offset=16), words(4, 5, 6, 7, 8))
    B("lines of 3 halves, the third outside", descriptor(1, [3, 2], [2, 9], [8], offset=0x20), halves(h(0), h(1), 0, h(8), h(9), 0))
    B("lines outside", descriptor(1, [2, 3], [9, 2], [8], offset=0x20), halves(h(0), h(1), h(8), h(9), 0, 0))
    B("bytes", descriptor(0, [8], offset=3), [memory(3, 4), memory(7, 4)])
    B("8 bytes each", descriptor(3, [2], [1]), words(0, 1) + [0, 0])
    B("three dimensions", descriptor(2, [1, 2, 2], strides=[3, 10]), words(0, 3, 10, 13), groups=4)
    B("the third one's end", descriptor(2, [1, 2, 2], [9, 9, 1], strides=[3, 10]), words(0, 3) + [0, 0], groups=4)
    B("five dimensions", descriptor(2, [1, 1, 1, 2, 2], strides=[0, 0, 5, 20]), words(0, 5, 20, 25), groups=4)
    B("the fifth one's end", descriptor(2, [1, 1, 1, 2, 2], [9, 9, 9, 9, 1], strides=[0, 0, 5, 20]), words(0, 5) + [0, 0], groups=4)
    # after each 2 dwords 1 stays free; after each 4, 2
    B("padding", descriptor(2, [5], pad=(0, 0)), words(0, 1) + [NONE] + words(2, 3) + [NONE] + words(4))
    B("padding", descriptor(2, [5], pad=(1, 1)), words(0, 1, 2, 3) + [NONE, NONE] + words(4))
    B("padding within an element", descriptor(3, [2], pad=(0, 2)), words(0, 1) + [NONE] * 3 + words(2, 3))
    B("rows by number, one outside", descriptor(2, [2, 3], [9, 5], [4], rows=(32, [4, 5, 1])), words(16, 17) + [0, 0] + words(4, 5), groups=4)
    B("rows by number of 16 bits", descriptor(2, [1, 7], [9, 100], [4], rows=(16, [4, 5, 1, 0, 9, 8, 7])), words(16, 20, 4, 0, 36, 32, 28), groups=4)
    B("again, 3 further in LDS and 10 in memory", descriptor(2, [2], again=(3, 10, 1)), words(0, 1) + [NONE] + words(10, 11), groups=4)
    B("twice again", descriptor(2, [1, 2], strides=[4], again=(2, 10, 2)), words(0, 4, 10, 14, 20, 24), groups=4)
    B("nothing", descriptor(2, [5], count=0), [])
    B("whatever EXEC says", descriptor(2, [2]), words(0, 1), pre="s_mov_b32 exec_lo, 0; ", post="; s_mov_b32 exec_lo, -1" + READ[READ.index("; ds"):])
    B("a barrier in LDS", descriptor(2, [1], barrier=0x88), words(0), pre="v_mov_b32 v9, 0x88; s_mov_b32 exec_lo, 1; ds_store_b64 v9, v[2:3]; ", post="; ds_load_b64 v[6:7], v9", ins=" v[2:3]", outs=" v[6:7]@0",
      more=((0x300000002,), (0x300000001,)))


def stores(m):
    text = "v_mov_b32 v8, 0x%x; s_mov_b32 exec_lo, 1; ds_store_b64 v8, v[2:3]; ds_store_b64 v8, v[4:5] offset:8; " % LDS
    a, b = 0x1111111122222222, 0x3333333344444444
    def B(title, desc, outs, want):
        m.block(X, text + desc + "tensor_store_from_lds s[8:11], s[12:19]; s_wait_tensorcnt 0", "s[4:5] v[2:3] v[4:5]", outs, [("@0", a, b) + want], ["gfx1250"], title=title)
    B("a run", descriptor(2, [3], offset=0x40), "mem40 mem44 mem48 mem4c", (0x22222222, 0x11111111, 0x44444444, memory(0x4c, 4)))
    B("lines of 2, the second outside", descriptor(2, [2, 2], [1, 9], [4], offset=0x40), "mem40 mem44 mem50 mem54", (0x22222222, memory(0x44, 4), 0x44444444, memory(0x54, 4)))
    B("padding counts for loads alone", descriptor(2, [4], pad=(0, 0), offset=0x40), "mem40 mem44 mem48 mem4c", (0x22222222, 0x11111111, 0x44444444, 0x33333333))


def direct(m):
    # M0: byte address, type in bits 18:16
    for t, name in ((["gfx1100", "gfx1150"], "lds_direct_load"), (["gfx1200"], "ds_direct_load")):
        text = "ds_store_b32 v10, v0; s_mov_b32 m0, s4; %s v2" % name
        m.block(X, [text + " wait_vdst:0", text + " wait_va_vdst:0 wait_vm_vsrc:0", text], "v10 s4 v0", "v2", [(16, 0x20010, 0x89abcdef, 0x89abcdef), (16, 0x00011, 0x89abcdef, 0xcd), (16, 0x40011, 0x89abcdef, 0xffffffcd),
                (16, 0x10012, 0x89abcdef, 0x89ab), (16, 0x50012, 0x89abcdef, 0xffff89ab), (16, 0x2fffe, 5, 0)], t, title="one value of LDS for all lanes")
        m.block(X, ["ds_store_b32 v10, v0; s_mov_b32 m0, s4; s_mov_b32 exec_lo, 2; %s v2%s" % (name, w) for w in (" wait_vdst:0", " wait_va_vdst:0 wait_vm_vsrc:0")], "v10 s4 v0 v2", "v2@0 v2@1", [(16, 0x20010, 7, 5, 5, 7)], t,
                title="EXEC says which lanes get it")


def make(m):
    loads(m)
    stores(m)
    direct(m)

/* SPDX-License-Identifier: MIT
 *
 * metadata/msgpack_out.c - a document tree as MessagePack.
 *
 * Rules: the MessagePack specification.  msgpack-c packs integers and lengths
 * in their shortest form, as LLVM does, so that a note read and written again
 * is the same bytes.
 */
#include <codeobj/metadata.h>

#include <msgpack.h>
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "metadata/metadata.h"

static int write_bytes(void *data, const char *bytes, size_t size)
{
    struct co_buffer *b = data;
    co_buffer_add(b, bytes, size);
    return b->failed ? -1 : 0;
}

static bool pack(msgpack_packer *p, const struct codeobj_value *v, unsigned depth)
{
    if (depth > CO_METADATA_DEPTH)
        return false;
    switch (v->kind) {
    case CODEOBJ_VALUE_BOOL: v->boolean ? msgpack_pack_true(p) : msgpack_pack_false(p); return true;
    case CODEOBJ_VALUE_UINT: msgpack_pack_uint64(p, v->uint); return true;
    case CODEOBJ_VALUE_INT: msgpack_pack_int64(p, v->sint); return true;
    case CODEOBJ_VALUE_FLOAT: v->size == 4 ? msgpack_pack_float(p, (float)v->real) : msgpack_pack_double(p, v->real); return true;
    case CODEOBJ_VALUE_STRING:
        msgpack_pack_str(p, v->size);
        msgpack_pack_str_body(p, v->bytes, v->size);
        return true;
    case CODEOBJ_VALUE_BINARY:
        msgpack_pack_bin(p, v->size);
        msgpack_pack_bin_body(p, v->bytes, v->size);
        return true;
    case CODEOBJ_VALUE_ARRAY:
    case CODEOBJ_VALUE_MAP: {
        bool map = v->kind == CODEOBJ_VALUE_MAP;
        map ? msgpack_pack_map(p, v->size) : msgpack_pack_array(p, v->size);
        for (size_t i = 0; i < (map ? 2 : 1) * v->size; i++)
            if (!pack(p, &v->items[i], depth + 1))
                return false;
        return true;
    }
    default: msgpack_pack_nil(p); return true;
    }
}

enum codeobj_status codeobj_value_to_msgpack(const struct codeobj_value *value, void **out, size_t *size, struct codeobj_diag *diag)
{
    struct co_buffer b = { 0 };
    msgpack_packer packer;
    msgpack_packer_init(&packer, &b, write_bytes);
    bool fits = pack(&packer, value, 0);
    if (!fits || b.failed) {
        co_buffer_free(&b);
        return fits ? co_no_memory(diag) : co_fail(diag, CODEOBJ_LIMIT, "metadata nests deeper than %d", CO_METADATA_DEPTH);
    }
    *out = b.data;
    *size = b.size;
    return CODEOBJ_OK;
}

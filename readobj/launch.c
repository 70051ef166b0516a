/* SPDX-License-Identifier: MIT
 *
 * readobj/launch.c - struct launch: building, freeing, files.
 */
#include "launch.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void launch_free(struct launch *launch)
{
    for (size_t i = 0; i < launch->arg_count; i++) {
        free(launch->args[i].bytes.data);
        free(launch->args[i].save);
        free(launch->args[i].expect.bytes.data);
    }
    free(launch->args);
    free(launch->code_object);
    free(launch->kernel);
    free(launch->target);
    *launch = (struct launch){ 0 };
}

struct launch_arg *launch_add_arg(struct launch *launch)
{
    struct launch_arg *args = realloc(launch->args, (launch->arg_count + 1) * sizeof *args);
    if (!args)
        return NULL;
    launch->args = args;
    args[launch->arg_count] = (struct launch_arg){ 0 };
    return &args[launch->arg_count++];
}

const char *launch_read_file(const char *path, struct launch_bytes *out)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return strerror(errno);
    const char *wrong = NULL;
    uint8_t *data = NULL;
    size_t size = 0, room = 0;
    for (;;) {
        if (size == room) {
            room = room ? room * 2 : 65536;
            uint8_t *more = realloc(data, room);
            if (!more) {
                wrong = "out of memory";
                break;
            }
            data = more;
        }
        size_t n = fread(data + size, 1, room - size, f);
        size += n;
        if (n == 0)
            break;
    }
    if (!wrong && ferror(f))
        wrong = strerror(errno);
    fclose(f);
    if (wrong) {
        free(data);
        return wrong;
    }
    free(out->data);
    *out = (struct launch_bytes){ data, size, room };
    return NULL;
}

static const char *append_bytes(struct launch_bytes *bytes, const uint8_t *p, size_t n)
{
    if (bytes->size + n > bytes->room) {
        size_t room = bytes->room ? bytes->room * 2 : 64;
        uint8_t *data = realloc(bytes->data, room);
        if (!data)
            return "out of memory";
        bytes->data = data;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->size, p, n);
    bytes->size += n;
    return NULL;
}

const char *launch_append(struct launch_bytes *bytes, enum launch_type type, const char *text)
{
    uint8_t value[8];
    const char *wrong = launch_type_parse(type, text, value);
    return wrong ? wrong : append_bytes(bytes, value, launch_type_size(type));
}

const char *launch_parse_hex(const char *text, struct launch_bytes *out)
{
    while (*text) {
        unsigned v;
        if (*text == ' ') {
            text++;
            continue;
        }
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]) || sscanf(text, "%2x", &v) != 1)
            return "not pairs of hex digits";
        uint8_t byte = (uint8_t)v;
        const char *wrong = append_bytes(out, &byte, 1);
        if (wrong)
            return wrong;
        text += 2;
    }
    return NULL;
}

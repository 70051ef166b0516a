/* SPDX-License-Identifier: MIT
 *
 * readobj/main.c - amdreadobj: options, then one of its modes.
 *
 * Exit status: 0 all is well; 1 an input is bad (all that is readable was
 * shown), or an expectation of a launch does not hold; 2 wrong usage, and for
 * --launch and --run everything else that goes wrong.
 */
#include "readobj.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_mode(struct ro *ro)
{
    switch ((enum ro_mode)ro->opt->mode) {
    case RO_MODE_LAUNCH: return ro_launch(ro);
    case RO_MODE_RUN: return ro_run(ro);
    case RO_MODE_LIST: ro_list(ro); break;
    case RO_MODE_TARGETS: ro_targets(ro); break;
    case RO_MODE_EXTRACT: ro_extract(ro); break;
    case RO_MODE_PACK: ro_pack(ro); break;
    case RO_MODE_CHECK: ro_check(ro); break;
    case RO_MODE_LANES: ro_lanes(ro); break;
    case RO_MODE_SHOW:
        if (ro->opt->raw)
            ro_disassemble_raw(ro);
        else
            ro_show_files(ro);
        break;
    }
    return ro->failed ? RO_EXIT_BAD : RO_EXIT_OK;
}

/* Target IDs on the command line: a wrong one is wrong usage. */
static bool check_targets(const struct ro_options *opt)
{
    const struct {
        const char *option, *value;
    } ids[] = { { "target", opt->target }, { "for", opt->check_for } };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct codeobj_target t;
        struct codeobj_diag diag = { 0 };
        if (ids[i].value && !ro_parse_target(ids[i].value, &t, &diag)) {
            fprintf(stderr, "amdreadobj: error: --%s=%s: %s\n", ids[i].option, ids[i].value, diag.text);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct ro_options opt;
    if (!ro_options_parse(argc, argv, &opt) || !check_targets(&opt)) {
        ro_options_free(&opt);
        return RO_EXIT_USAGE;
    }
    int status = RO_EXIT_OK;
    if (opt.help) {
        ro_options_help();
    } else if (opt.version) {
        printf("amdreadobj %s\n", codeobj_version());
    } else {
        /* Thousands of objects are opened and freed one after the other: their memory stays with us. */
        mallopt(M_TRIM_THRESHOLD, 256 << 20);
        mallopt(M_MMAP_THRESHOLD, 32 << 20);
        static char buffer[1 << 16];
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        struct ro ro = { .opt = &opt, .out = stdout };
        ro.color = strcmp(opt.color, "always") == 0 ||
                   (strcmp(opt.color, "auto") == 0 && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
        status = run_mode(&ro);
        free(ro.field_lines);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "amdreadobj: error: cannot write the output: %s\n", strerror(errno));
        status = status ? status : RO_EXIT_USAGE;
    }
    ro_options_free(&opt);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * consumer.c - a program that uses the installed library as anybody would: one
 * kernel, two numbers.
 */
#include <codeobj/codeobj.h>

#include <stdio.h>
#include <string.h>

static int fail(const struct codeobj_diag *diag)
{
    char text[1024];
    codeobj_diag_format(diag, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    struct codeobj_diag diag = { 0 };
    struct codeobj_elf *elf = NULL;
    struct codeobj_device *device = NULL;
    struct codeobj_target target;
    if (argc != 2 || strcmp(codeobj_version(), "0.1.0") != 0)
        return 2;
    if (codeobj_elf_open_file(argv[1], NULL, &elf, &diag))
        return fail(&diag);
    codeobj_elf_target(elf, &target);
    if (codeobj_device_new(&target, NULL, &device, &diag) || codeobj_device_load(device, elf, &diag))
        return fail(&diag);

    const float a = 1.5f, b = 2.25f;
    float c = 0;
    struct {
        uint64_t a, b, c;
        uint32_t n;
    } args = { 0, 0, 0, 1 };
    if (codeobj_device_alloc(device, 4, "a", &args.a, &diag) || codeobj_device_alloc(device, 4, "b", &args.b, &diag) ||
        codeobj_device_alloc(device, 4, "c", &args.c, &diag) || codeobj_device_write(device, args.a, &a, 4, &diag) ||
        codeobj_device_write(device, args.b, &b, 4, &diag))
        return fail(&diag);
    struct codeobj_dispatch dispatch = { .size = sizeof dispatch,
                                         .kernel = "vadd",
                                         .grid = { 1, 1, 1 },
                                         .workgroup = { 1, 1, 1 },
                                         .kernarg = &args,
                                         .kernarg_size = 28 };
    if (codeobj_device_dispatch(device, &dispatch, NULL, &diag) || codeobj_device_read(device, args.c, &c, 4, &diag))
        return fail(&diag);
    printf("vadd: %g + %g = %g\n", (double)a, (double)b, (double)c);
    codeobj_device_free(device);
    codeobj_elf_free(elf);
    return 0;
}

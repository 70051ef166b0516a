/* SPDX-License-Identifier: MIT
 *
 * isa/print_interp.c - modifiers of VINTERP and of LDS parameter loads.
 */
#include "isa/print.h"

char *co_print_interp(char *p, const struct codeobj_isa *isa, const struct codeobj_isa_inst *inst,
                      const struct co_isa_row *row)
{
    const struct codeobj_isa_modifiers *m = &inst->mod;
    if (row->format == CODEOBJ_FMT_LDSDIR) {
        p = isa->gen >= CODEOBJ_GEN_GFX12 ? CO_PUT(p, " wait_va_vdst:") : CO_PUT(p, " wait_vdst:");
        p = co_put_dec(p, m->wait_va_vdst);
        if (isa->gen >= CODEOBJ_GEN_GFX12) {
            p = CO_PUT(p, " wait_vm_vsrc:");
            p = co_put_dec(p, m->wait_vm_vsrc);
        }
        return p;
    }
    if (row->format != CODEOBJ_FMT_VINTERP)
        return p;
    p = co_put_flag(p, m->clamp, " clamp");
    if (m->op_sel)
        p = co_put_bits(p, " op_sel:", m->op_sel, 4);
    p = CO_PUT(p, " wait_exp:");
    return co_put_dec(p, m->wait_exp);
}

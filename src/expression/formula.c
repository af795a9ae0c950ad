/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/formula.h"

#include "base/arena.h"

int formula_read(const row_reader *r, rdv_str text, row_formula *out)
{
    expression e;
    int code = lex(text, r->arena, &out->t);
    if (code == RDV_OK)
        code = parse_expression_of_letters(&out->t, 0, r->arena, &e);
    if (code == RDV_E_NOMEM)
        return rdv_no_memory(r->err);
    if (code != RDV_OK || out->t.at[e.end].kind != TOK_END)
        return row_fault(r, "\"%.*s\" is no formula", RDV_FMT(row_shown(text)));
    out->root = e.root;
    return RDV_OK;
}

bool formula_next_letter(const row_formula *f, size_t *at, rdv_str *letter)
{
    while (f->root && *at < f->t.n) {
        size_t i = (*at)++;
        *letter = tok_text(&f->t, i);
        if (f->t.at[i].kind == TOK_WORD && letter->len == 1)
            return true;
    }
    return false;
}

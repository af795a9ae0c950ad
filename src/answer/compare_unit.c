/* SPDX-License-Identifier: Apache-2.0 */
/* Two numbers with units that are not the same unit. */
#include "answer/compare_value.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "algebra/key.h"

/* The number in the bases of its unit. RDV_NONE: it is no number that is known. */
static int in_bases(value_reader *r, const answer_value *v, const measure *m, answer_value *out)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    *out = (answer_value){.is = VALUE_EXPRESSION};
    rdv_buf_printf(&b, "(%.*s)", RDV_FMT(v->text));
    for (size_t i = 0; i < m->n; i++) {
        const measure_factor *f = m->factor + i;
        rdv_buf_printf(&b, "*(%llu/%llu*10^{%d})^{%d}", (unsigned long long)f->num,
                       (unsigned long long)f->den, f->ten, f->power);
    }
    out->text = rdv_buf_str(&b);
    if (!out->text.p)
        return rdv_no_memory(r->err);
    return math_key(out->text, r->how.work, r->arena, &out->key, r->err);
}

static rdv_same not_same(comparer *c, rdv_same is, const char *why, const answer_value *a,
                         const answer_value *g)
{
    rdv_str as = value_shown(c, a), gs = value_shown(c, g);
    return value_compare_not(c, is, why, "%.*s %.*s is not %.*s %.*s", RDV_FMT(as),
                             RDV_FMT(rdv_trim(a->unit)), RDV_FMT(gs), RDV_FMT(rdv_trim(g->unit)));
}

bool value_units_differ(const answer_value *a, const answer_value *g, measure *am, measure *gm)
{
    if (a->is != VALUE_EXPRESSION || g->is != VALUE_EXPRESSION || !a->unit.len || !g->unit.len)
        return false;
    *am = measure_read(a->unit);
    *gm = measure_read(g->unit);
    return am->n && gm->n && measure_compare(am, gm) != MEASURES_SAME;
}

rdv_same value_compare_units(comparer *c, const answer_value *a, measure am, const answer_value *g,
                             measure gm)
{
    answer_value ab, gb;
    measures are = measure_compare(&am, &gm);
    if (are != MEASURES_CONVERT)
        return are == MEASURES_UNKNOWN ? not_same(c, RDV_CANNOT_TELL, "assumption", a, g)
                                       : not_same(c, RDV_DIFFERENT, "unit", a, g);
    int rc = in_bases(&c->reader, a, &am, &ab);
    if (rc == RDV_OK)
        rc = in_bases(&c->reader, g, &gm, &gb);
    if (rc != RDV_OK) {
        c->fault = rc < 0 ? rc : 0;
        return not_same(c, RDV_CANNOT_TELL, "unread", a, g);
    }
    rdv_same is = value_compare_expressions(c, &ab, &gb);
    if (is == RDV_SAME)
        return value_compare_same(c, "unit");
    if (is == RDV_DIFFERENT && (am.rounded || gm.rounded))
        is = RDV_CANNOT_TELL;
    return not_same(c, is, is == RDV_DIFFERENT ? "unit" : "assumption", a, g);
}

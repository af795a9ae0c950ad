/* SPDX-License-Identifier: Apache-2.0 */
/* Two numbers with units that are not the same unit. */
#include "answer/compare_value.h"

#include "base/arena.h"
#include "base/str.h"
#include "math/key.h"

/* Months and years are averages, and volumes are rounded, in the table of units. */
static bool is_rounded(const unit *u)
{
    return u->den != 1 || (u->dim == DIM_TIME && u->num > 604800);
}

/* The number in the dimension's base unit. RDV_NONE: it is no number that is known. */
static int in_base(value_reader *r, const answer_value *v, measure m, answer_value *out)
{
    rdv_str factor = RDV_STR("1"), one;
    *out = (answer_value){.is = VALUE_EXPRESSION};
    for (unsigned i = 0; i < m.power; i++) {
        factor = rdv_str_printf(r->arena, "%.*s*%u/%u", RDV_FMT(factor), m.of->num, m.of->den);
        if (!factor.p)
            return rdv_no_memory(r->err);
    }
    one = rdv_str_printf(r->arena, "(%.*s)*%.*s", RDV_FMT(v->text), RDV_FMT(factor));
    if (!one.p)
        return rdv_no_memory(r->err);
    out->text = one;
    return math_key(one, r->how.work, r->arena, &out->key, r->err);
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
    return am->of && gm->of && (am->power != gm->power || !unit_same(am->of, gm->of));
}

rdv_same value_compare_units(comparer *c, const answer_value *a, measure am, const answer_value *g,
                             measure gm)
{
    answer_value ab, gb;
    if (am.of->dim != gm.of->dim || am.power != gm.power)
        return not_same(c, RDV_DIFFERENT, "unit", a, g);
    int rc = in_base(&c->reader, a, am, &ab);
    if (rc == RDV_OK)
        rc = in_base(&c->reader, g, gm, &gb);
    if (rc != RDV_OK) {
        c->fault = rc < 0 ? rc : 0;
        return not_same(c, RDV_CANNOT_TELL, "unread", a, g);
    }
    rdv_same is = value_compare_expressions(c, &ab, &gb);
    if (is == RDV_SAME)
        return value_compare_same(c, "unit");
    if (is == RDV_DIFFERENT && (is_rounded(am.of) || is_rounded(gm.of)))
        is = RDV_CANNOT_TELL;
    return not_same(c, is, is == RDV_DIFFERENT ? "unit" : "assumption", a, g);
}

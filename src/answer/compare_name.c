/* SPDX-License-Identifier: Apache-2.0 */
/* Two values of which at least one has a name: "x = 5", "k = 45, n = 2", "y = 2x". */
#include "answer/compare_value.h"
#include "answer/name.h"
#include "base/arena.h"
#include "base/str.h"

/* ---- records --------------------------------------------------------------------------------- */

static const answer_value *item_named(const answer_value *record, rdv_str name)
{
    for (size_t i = 0; i < record->n; i++)
        if (rdv_str_eq(record->names[i], name))
            return record->items[i];
    return NULL;
}

rdv_same value_compare_records(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_same all = RDV_SAME;
    size_t named = 0;
    if (a->n != g->n)
        return value_compare_not(c, RDV_DIFFERENT, "form", "%zu values, not %zu", a->n, g->n);
    for (size_t i = 0; i < g->n; i++)
        named += item_named(a, g->names[i]) != NULL;
    if (named < g->n) {
        rdv_same ordered = value_compare_in_order(c, a->items, g->items, g->n);
        return ordered != RDV_SAME
                   ? ordered
                   : value_compare_not(c, RDV_CANNOT_TELL, "assumption",
                                       "the values are the same, the names are not");
    }
    for (size_t i = 0; i < g->n && all != RDV_DIFFERENT && !c->fault; i++) {
        rdv_same one = value_compare(c, item_named(a, g->names[i]), g->items[i]);
        if (one != RDV_SAME) {
            all = one;
            c->reason = rdv_str_printf(c->reader.arena, "%.*s: %.*s", RDV_FMT(g->names[i]),
                                       RDV_FMT(c->reason));
            if (!c->reason.p)
                c->fault = rdv_no_memory(c->reader.err);
        }
    }
    return all;
}

/* Names that only number the values: "x_1 = 2, x_2 = 3". */
static bool numbers_only(const answer_value *record)
{
    for (size_t i = 0; i < record->n; i++) {
        rdv_str name = record->names[i], first = record->names[0];
        size_t at = rdv_find_char(name, '_', 0), other = rdv_find_char(first, '_', 0);
        if (at == RDV_NOT_FOUND || !rdv_str_eq(rdv_slice(name, 0, at), rdv_slice(first, 0, other)))
            return false;
        rdv_str digits = rdv_slice(name, at + 1, name.len);
        if (digits.len != 1 || digits.p[0] != (char)('1' + i))
            return false;
    }
    return true;
}

rdv_same value_compare_record_and_other(comparer *c, const answer_value *a, const answer_value *g)
{
    const answer_value *record = a->is == VALUE_RECORD ? a : g, *other = record == a ? g : a;
    if (a->n != g->n || (other->is != VALUE_TUPLE && other->is != VALUE_LIST))
        return value_compare_other_form(c, a, g);
    if (other->is == VALUE_LIST && (numbers_only(record) || other == g))
        return value_compare_as_sets(c, a, g);
    return value_compare_in_gold_order(c, a, g, other->is == VALUE_TUPLE,
                                       "which value has which of gold's names is not said");
}

/* ---- one name -------------------------------------------------------------------------------- */

/* Two letters or more and nothing else: "xy" in "xy = 1" may be a product, or the name of one. */
static bool is_product(rdv_str name)
{
    size_t letters = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!rdv_is_alpha(name.p[i]) && name.p[i] != ' ')
            return false;
        letters += name.p[i] != ' ';
    }
    return letters > 1 && letters < 4;
}

/* "y = 2x" as the relation that it is. RDV_NONE: its value is a number or no expression. */
static int as_relation(comparer *c, const answer_value *v, answer_value **out)
{
    const answer_value *item = v->items[0];
    rdv_str name = v->names[0];
    bool letters = answer_has_letters(item->text) || is_product(name);
    if (item->is != VALUE_EXPRESSION || item->unread || !letters || !answer_is_name(name))
        return RDV_NONE;
    rdv_str text =
        rdv_str_printf(c->reader.arena, "%.*s-(%.*s)=0", RDV_FMT(name), RDV_FMT(item->text));
    if (!text.p)
        return rdv_no_memory(c->reader.err);
    return value_relation(&c->reader, text, 0, out);
}

rdv_same value_compare_name_and_relation(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value *relation = NULL;
    int rc = as_relation(c, a->is == VALUE_NAMED ? a : g, &relation);
    if (rc < 0) {
        c->fault = rc;
        return RDV_CANNOT_TELL;
    }
    const answer_value *item = (a->is == VALUE_NAMED ? a : g)->items[0];
    if (rc == RDV_NONE && item->unread)
        return value_compare_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                                 RDV_FMT(value_shown(c, item)));
    if (rc == RDV_NONE)
        return value_compare_other_form(c, a, g); /* an equation is not its solution */
    return a->is == VALUE_NAMED ? value_compare(c, relation, g) : value_compare(c, a, relation);
}

/* "f(x)" and "f(t)": one function of letters that may be renamed. */
static bool is_call_of_same(rdv_str a, rdv_str b)
{
    size_t open = rdv_find_char(a, '(', 0);
    return open != RDV_NOT_FOUND && open == rdv_find_char(b, '(', 0) &&
           rdv_str_eq(rdv_slice(a, 0, open), rdv_slice(b, 0, open));
}

/* "y = 2x" and "x = y/2" are one relation. RDV_OK with the result in *is; RDV_NONE: they are none.
 */
static int by_relations(comparer *c, const answer_value *a, const answer_value *g, rdv_same *is)
{
    answer_value *left, *right;
    bool calls = rdv_find_char(a->names[0], '(', 0) != RDV_NOT_FOUND ||
                 rdv_find_char(g->names[0], '(', 0) != RDV_NOT_FOUND;
    int rc = calls ? RDV_NONE : as_relation(c, a, &left);
    if (rc == RDV_OK)
        rc = as_relation(c, g, &right);
    if (rc == RDV_OK)
        *is = value_compare(c, left, right);
    return rc;
}

rdv_same value_compare_named(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_str name = a->names[0], other = g->names[0];
    rdv_same is;
    if (rdv_str_eq(name, other) || !answer_is_name(name) || !answer_is_name(other))
        return value_compare(c, a->items[0], g->items[0]);
    int rc = by_relations(c, a, g, &is);
    if (rc == RDV_OK)
        return is;
    c->fault = rc < 0 ? rc : c->fault;
    is = c->fault ? RDV_CANNOT_TELL : value_compare(c, a->items[0], g->items[0]);
    if (is == RDV_SAME)
        return value_compare_not(c, RDV_CANNOT_TELL, "assumption",
                                 "the values are the same, the names %.*s and %.*s are not",
                                 RDV_FMT(rdv_slice(name, 0, 40)), RDV_FMT(rdv_slice(other, 0, 40)));
    if (is == RDV_DIFFERENT && is_call_of_same(name, other))
        return value_compare_not(c, RDV_CANNOT_TELL, "assumption",
                                 "%.*s and %.*s may be one function of two letters",
                                 RDV_FMT(rdv_slice(name, 0, 40)), RDV_FMT(rdv_slice(other, 0, 40)));
    return is;
}

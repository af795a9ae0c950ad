/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/compare_value.h"

#include "algebra/key.h"
#include "algebra/same.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/clean.h"
#include "grade/compare_number.h"
#include "grade/formal.h"
#include "grade/name.h"
#include "grade/text/order.h"
#include "grade/outcome.h"
#include "grade/real_set.h"
#include "language/phrase.h"

static const char repeated[] = "whether a value that stands twice counts twice is not said";

/* ---- items ----------------------------------------------------------------------------------- */

/* One by one in their order. Different if one pair is; else cannot tell if one cannot. */
static rdv_same in_order(comparer *c, answer_value *const *a, answer_value *const *g, size_t n)
{
    rdv_same all = RDV_SAME;
    rdv_str reason = {0};
    const char *why = NULL;
    for (size_t i = 0; i < n && !c->fault; i++) {
        rdv_same one = outcome_at_place(c, value_compare(c, a[i], g[i]), "element", i + 1);
        if (one == RDV_DIFFERENT)
            return one;
        if (one == RDV_CANNOT_TELL && all == RDV_SAME) {
            all = one;
            reason = c->reason;
            why = c->why;
        }
    }
    if (all == RDV_CANNOT_TELL) {
        c->reason = reason;
        c->why = why;
    }
    return all;
}

/* Is `v` the same as one of the items? A value that is compared is the answer's side or gold's. */
static rdv_same in_list(comparer *c, const answer_value *v, const answer_value *list,
                        bool is_answer)
{
    rdv_same best = RDV_DIFFERENT;
    const char *why = NULL;
    for (size_t i = 0; i < list->n; i++)
        if (rdv_str_eq(v->key, list->items[i]->key))
            return RDV_SAME;
    for (size_t i = 0; i < list->n && !c->fault; i++) {
        const answer_value *other = list->items[i];
        rdv_same one = is_answer ? value_compare(c, v, other) : value_compare(c, other, v);
        if (one == RDV_SAME)
            return one;
        if (one == RDV_CANNOT_TELL && best != one) {
            best = one;
            why = c->why;
        }
        if (c->left == 0) {
            c->why = "limit";
            return RDV_CANNOT_TELL;
        }
    }
    c->why = why ? why : c->why;
    return best;
}

/* Every item of `list` is in `other`. */
static rdv_same all_in(comparer *c, const answer_value *list, const answer_value *other,
                       bool is_answer)
{
    rdv_same all = RDV_SAME;
    rdv_str shown = {0};
    const char *why = NULL;
    for (size_t i = 0; i < list->n && !c->fault; i++) {
        rdv_same one = in_list(c, list->items[i], other, is_answer);
        if (one == RDV_SAME)
            continue;
        if (all == RDV_SAME || one == RDV_DIFFERENT) {
            shown = outcome_value_shown(c, list->items[i]);
            why = c->why;
        }
        all = one;
        if (one == RDV_DIFFERENT)
            break;
    }
    const char *what = is_answer ? "gold has no" : "the answer has no";
    if (all == RDV_DIFFERENT)
        return outcome_not(c, all, "set", "%s %.*s", what, RDV_FMT(shown));
    if (all == RDV_CANNOT_TELL)
        return outcome_not(c, all, why, "it cannot be told whether %s %.*s",
                           is_answer ? "gold has" : "the answer has", RDV_FMT(shown));
    return all;
}

/* In any order, each as often as it likes. */
static rdv_same as_sets(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_same missing = all_in(c, g, a, false);
    if (missing == RDV_DIFFERENT || c->fault)
        return missing;
    rdv_str reason = c->reason;
    const char *why = c->why;
    rdv_same surplus = all_in(c, a, g, true);
    if (surplus == RDV_SAME && missing == RDV_CANNOT_TELL) {
        c->reason = reason;
        c->why = why;
        return missing;
    }
    return surplus == RDV_SAME ? outcome_same(c, "set") : surplus;
}

/* ---- lists, tuples, records ------------------------------------------------------------------ */

/* Item by item. If another order would do, it cannot be told, unless the order is `fixed`. */
static rdv_same in_gold_order(comparer *c, const answer_value *a, const answer_value *g, bool fixed,
                              const char *otherwise)
{
    rdv_same ordered = in_order(c, a->items, g->items, a->n);
    if (ordered != RDV_DIFFERENT || fixed || c->fault)
        return ordered;
    return as_sets(c, a, g) == RDV_DIFFERENT
               ? RDV_DIFFERENT
               : outcome_not(c, RDV_CANNOT_TELL, "assumption", "%s", otherwise);
}

/* In any order. Where a value stands twice, as a root of multiplicity two does, it may count twice.
 */
static rdv_same lists(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_same is = as_sets(c, a, g);
    if (is == RDV_SAME && (a->repeats || g->repeats))
        return outcome_not(c, RDV_CANNOT_TELL, "assumption", "%s", repeated);
    return is;
}

/* A list without brackets may be a tuple, written in gold's order. */
static rdv_same list_and_tuple(comparer *c, const answer_value *a, const answer_value *g)
{
    const answer_value *list = a->is == VALUE_LIST ? a : g;
    if (a->n != g->n || list->open == RDV_SET_OPEN)
        return outcome_other_form(c, a, g);
    if (list->spread) { /* "50 \\pm 2" may be the interval (48, 52) */
        rdv_same is = as_sets(c, a, g);
        bool asked = rdv_ifind(c->how.question, RDV_STR("interval"), 0) != RDV_NOT_FOUND;
        return is != RDV_SAME || asked ? is
                                       : outcome_not(c, RDV_CANNOT_TELL, "assumption",
                                                     "one of both may be an interval");
    }
    return in_gold_order(c, a, g, g->is == VALUE_TUPLE,
                         "gold's list has another order than the tuple");
}

static rdv_same tuples(comparer *c, const answer_value *a, const answer_value *g)
{
    bool ends = a->open == g->open && a->close == g->close;
    if (a->n != g->n)
        return outcome_not(c, RDV_DIFFERENT, "form", "%zu elements, not %zu", a->n, g->n);
    if (!ends && a->n == 2)
        return outcome_not(c, RDV_DIFFERENT, "form", "%c...%c is not %c...%c", a->open, a->close,
                           g->open, g->close);
    return in_order(c, a->items, g->items, a->n);
}

/* ---- records --------------------------------------------------------------------------------- */

static const answer_value *item_named(const answer_value *record, rdv_str name)
{
    for (size_t i = 0; i < record->n; i++)
        if (rdv_str_eq(record->names[i], name))
            return record->items[i];
    return NULL;
}

static rdv_same records(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_same all = RDV_SAME;
    size_t named = 0;
    if (a->n != g->n)
        return outcome_not(c, RDV_DIFFERENT, "form", "%zu values, not %zu", a->n, g->n);
    for (size_t i = 0; i < g->n; i++)
        named += item_named(a, g->names[i]) != NULL;
    if (named < g->n) {
        rdv_same ordered = in_order(c, a->items, g->items, g->n);
        return ordered != RDV_SAME ? ordered
                                   : outcome_not(c, RDV_CANNOT_TELL, "assumption",
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

/* The letter that a name is, perhaps behind words, "Thus y"; 0: it is none. */
static char letter_named(rdv_str name)
{
    char last = name.len ? name.p[name.len - 1] : 0;
    bool alone = name.len == 1 || rdv_char_at(name, name.len - 2) == ' ';
    return alone && rdv_is_alpha(last) ? last : 0;
}

/* "y = 2, x = 3" in the order of the letters, which that of coordinates is; false: it has that
 * order, or one that is written, "(y, x) = (2, 3)", or its names are no single letters. */
static bool by_letters(comparer *c, const answer_value *record, answer_value *sorted)
{
    bool ordered = true;
    for (size_t i = 0; i < record->n; i++)
        if (record->open || !letter_named(record->names[i]))
            return false;
    answer_value **items = RDV_NEW_ARRAY(c->reader.arena, answer_value *, record->n);
    rdv_str *names = RDV_NEW_ARRAY(c->reader.arena, rdv_str, record->n);
    if (!items || !names) {
        c->fault = rdv_no_memory(c->reader.err);
        return false;
    }
    for (size_t n = 0, i; n < record->n; n++) {
        for (i = n; i > 0 && letter_named(names[i - 1]) > letter_named(record->names[n]); i--) {
            items[i] = items[i - 1];
            names[i] = names[i - 1];
            ordered = false;
        }
        items[i] = record->items[n];
        names[i] = record->names[n];
    }
    *sorted = *record;
    sorted->items = items;
    sorted->names = names;
    return !ordered;
}

static rdv_same record_and_other(comparer *c, const answer_value *a, const answer_value *g)
{
    const answer_value *record = a->is == VALUE_RECORD ? a : g, *other = record == a ? g : a;
    answer_value sorted;
    if (a->n != g->n || (other->is != VALUE_TUPLE && other->is != VALUE_LIST))
        return outcome_other_form(c, a, g);
    if (other->is == VALUE_TUPLE && by_letters(c, record, &sorted)) {
        rdv_same is = record == a ? in_order(c, sorted.items, g->items, g->n)
                                  : in_order(c, a->items, sorted.items, g->n);
        rdv_same written = is == RDV_SAME ? is : in_order(c, a->items, g->items, g->n);
        return is == RDV_SAME || written == RDV_DIFFERENT
                   ? is
                   : outcome_not(c, RDV_CANNOT_TELL, "assumption",
                                 "which value has which place is not said");
    }
    if (c->fault)
        return RDV_CANNOT_TELL;
    if (other->is == VALUE_LIST && (numbers_only(record) || other == g))
        return as_sets(c, a, g);
    return in_gold_order(c, a, g, other->is == VALUE_TUPLE,
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
    bool letters = name_has_letters(item->text) || is_product(name);
    if (item->is != VALUE_EXPRESSION || item->unread || !letters || !name_is_plain(name))
        return RDV_NONE;
    rdv_str text =
        rdv_str_printf(c->reader.arena, "%.*s-(%.*s)=0", RDV_FMT(name), RDV_FMT(item->text));
    if (!text.p)
        return rdv_no_memory(c->reader.err);
    return value_relation(&c->reader, text, 0, out);
}

static rdv_same name_and_relation(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value *relation = NULL;
    int rc = as_relation(c, a->is == VALUE_NAMED ? a : g, &relation);
    if (rc < 0) {
        c->fault = rc;
        return RDV_CANNOT_TELL;
    }
    const answer_value *item = (a->is == VALUE_NAMED ? a : g)->items[0];
    if (rc == RDV_NONE && item->unread)
        return outcome_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                           RDV_FMT(outcome_value_shown(c, item)));
    if (rc == RDV_NONE)
        return outcome_other_form(c, a, g); /* an equation is not its solution */
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

static rdv_same named_values(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_str name = a->names[0], other = g->names[0];
    rdv_same is;
    if (rdv_str_eq(name, other) || !name_is_plain(name) || !name_is_plain(other))
        return value_compare(c, a->items[0], g->items[0]);
    int rc = by_relations(c, a, g, &is);
    if (rc == RDV_OK)
        return is;
    c->fault = rc < 0 ? rc : c->fault;
    is = c->fault ? RDV_CANNOT_TELL : value_compare(c, a->items[0], g->items[0]);
    if (is == RDV_SAME)
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "the values are the same, the names %.*s and %.*s are not",
                           RDV_FMT(rdv_slice(name, 0, 40)), RDV_FMT(rdv_slice(other, 0, 40)));
    if (is == RDV_DIFFERENT && is_call_of_same(name, other))
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "%.*s and %.*s may be one function of two letters",
                           RDV_FMT(rdv_slice(name, 0, 40)), RDV_FMT(rdv_slice(other, 0, 40)));
    return is;
}

/* ---- matrices, ratios, relations ------------------------------------------------------------- */

static rdv_same matrices(comparer *c, const answer_value *a, const answer_value *g)
{
    if (a->columns != g->columns || a->n != g->n)
        return outcome_not(c, RDV_DIFFERENT, "form", "a matrix of %zux%zu, not %zux%zu",
                           a->n / a->columns, a->columns, g->n / g->columns, g->columns);
    return in_order(c, a->items, g->items, a->n);
}

/* A vector is written as a row, a column or a tuple. */
static rdv_same vector_and_tuple(comparer *c, const answer_value *a, const answer_value *g)
{
    const answer_value *m = a->is == VALUE_MATRIX ? a : g;
    bool vector = m->columns == 1 || m->columns == m->n;
    return vector && a->n == g->n ? in_order(c, a->items, g->items, a->n)
                                  : outcome_other_form(c, a, g);
}

/* "[[1,2],[3,4]]" is a matrix, row by row, where the other is one. */
static bool rows_of(comparer *c, const answer_value *tuple, answer_value *matrix)
{
    size_t columns = tuple->n && tuple->items[0]->is == VALUE_TUPLE ? tuple->items[0]->n : 0;
    bool rows = columns > 0 && tuple->open == '[';
    for (size_t i = 0; i < tuple->n && rows; i++)
        rows = tuple->items[i]->is == VALUE_TUPLE && tuple->items[i]->n == columns &&
               tuple->items[i]->open == '[' && tuple->items[i]->close == ']';
    answer_value **items =
        rows ? RDV_NEW_ARRAY(c->reader.arena, answer_value *, tuple->n * columns) : NULL;
    for (size_t i = 0; items && i < tuple->n; i++)
        for (size_t k = 0; k < columns; k++)
            items[i * columns + k] = tuple->items[i]->items[k];
    if (rows && !items)
        c->fault = rdv_no_memory(c->reader.err);
    *matrix = *tuple;
    matrix->is = VALUE_MATRIX;
    matrix->items = items;
    matrix->n = tuple->n * columns;
    matrix->columns = columns;
    return items != NULL;
}

static rdv_same matrix_and_tuple(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value rows;
    bool answer = a->is == VALUE_TUPLE;
    if (!rows_of(c, answer ? a : g, &rows))
        return c->fault ? RDV_CANNOT_TELL : vector_and_tuple(c, a, g);
    return answer ? matrices(c, &rows, g) : matrices(c, a, &rows);
}

/* Could it be a time of day: "6:30", "12:05:00"? */
static bool may_be_time(const answer_value *v)
{
    size_t digits = 0, parts = 1;
    for (size_t i = 0; i < v->text.len; i++) {
        char c = v->text.p[i];
        if (c == ':' && (digits == 2 || parts == 1)) { /* no part is empty */
            digits = 0;
            parts++;
        } else if (!rdv_is_digit(c) || ++digits > 2 || (parts > 1 && digits == 1 && c > '5')) {
            return false;
        }
    }
    return digits == 2 && parts <= 3;
}

static bool is_zero(const answer_value *v)
{
    return rdv_str_eq(v->key, RDV_STR("0"));
}

/* Do the products of the ratios prove nothing: are they all 0, whatever the other numbers are? */
static bool products_vanish(const answer_value *a, const answer_value *g)
{
    bool last = a->n == 2 && is_zero(a->items[1]) && is_zero(g->items[1]);
    return last || is_zero(a->items[0]) || is_zero(g->items[0]);
}

/* a:b is c:d if a d = b c. */
static rdv_same ratios(comparer *c, const answer_value *a, const answer_value *g)
{
    if (a->n != g->n)
        return outcome_other_form(c, a, g);
    if (products_vanish(a, g) || (may_be_time(a) && may_be_time(g)))
        return in_order(c, a->items, g->items, a->n);
    rdv_same all = RDV_SAME;
    for (size_t i = 1; i < a->n && all == RDV_SAME; i++) {
        answer_value left = {.is = VALUE_EXPRESSION}, right = left;
        left.text = rdv_str_printf(c->reader.arena, "(%.*s)*(%.*s)", RDV_FMT(a->items[0]->text),
                                   RDV_FMT(g->items[i]->text));
        right.text = rdv_str_printf(c->reader.arena, "(%.*s)*(%.*s)", RDV_FMT(a->items[i]->text),
                                    RDV_FMT(g->items[0]->text));
        if (!left.text.p || !right.text.p) {
            c->fault = rdv_no_memory(c->reader.err);
            return RDV_CANNOT_TELL;
        }
        left.key = left.text;
        right.key = right.text;
        all = compare_expressions(c, &left, &right);
    }
    return all == RDV_SAME ? all : outcome_pair(c, all, "exact", a, "is not", g);
}

/* 7:32 is 7/32. */
static rdv_same ratio_and_number(comparer *c, const answer_value *a, const answer_value *g)
{
    const answer_value *ratio = a->is == VALUE_RATIO ? a : g;
    answer_value one = {.is = VALUE_EXPRESSION};
    if (ratio->n != 2)
        return outcome_other_form(c, a, g);
    if (may_be_time(ratio))
        return outcome_not(c, RDV_CANNOT_TELL, "assumption", "%.*s may be a time of day",
                           RDV_FMT(ratio->key));
    one.text = rdv_str_printf(c->reader.arena, "(%.*s)/(%.*s)", RDV_FMT(ratio->items[0]->text),
                              RDV_FMT(ratio->items[1]->text));
    one.key = one.text;
    if (!one.text.p) {
        c->fault = rdv_no_memory(c->reader.err);
        return RDV_CANNOT_TELL;
    }
    return ratio == a ? compare_expressions(c, &one, g) : compare_expressions(c, a, &one);
}

static bool is_inequality(const answer_value *v)
{
    for (size_t i = 0; v->is == VALUE_RELATION && i + 1 < v->n; i++)
        if (v->signs[i] != '=')
            return true;
    return false;
}

static bool holds_inequality(const answer_value *v)
{
    for (size_t i = 0; v->is == VALUE_LIST && i < v->n; i++)
        if (is_inequality(v->items[i]))
            return true;
    return is_inequality(v);
}

/* Is it read as a set of numbers where the other one is an inequality or a union? */
static bool is_set(const answer_value *v)
{
    return v->is == VALUE_UNION || holds_inequality(v);
}

/* Can gold be nothing but a set of numbers: a union, an interval to infinity or half open? "(1, 4)"
 * may be a point, unless an inequality is asked for. */
static bool is_set_alone(const comparer *c, const answer_value *g)
{
    static phrase_list words = {"@asks-for-a-set"};
    bool mixed = g->is == VALUE_TUPLE && (g->open == '[') != (g->close == ']');
    bool endless = g->is == VALUE_TUPLE && rdv_find(g->key, RDV_STR("oo"), 0) != RDV_NOT_FOUND;
    return g->is == VALUE_UNION || mixed || endless || phrase_in(c->how.question, &words);
}

/* RDV_OK with the result in *is; RDV_NONE: they are not both sets of real numbers. */
static int by_real_sets(comparer *c, const answer_value *a, const answer_value *g, rdv_same *is)
{
    real_set as, gs;
    bool same;
    int rc = real_set_of(&c->reader, a, &as);
    if (rc == RDV_OK)
        rc = real_set_of(&c->reader, g, &gs);
    if (rc == RDV_OK)
        rc = real_set_compare(&c->reader, &as, &gs, &same);
    if (rc != RDV_OK)
        return rc;
    bool asked = gs.letter.p && as.letter.p; /* "x \in [0,1]" says whose values are in the set */
    if (same && holds_inequality(a) && !holds_inequality(g) && !c->how.relations_as_sets &&
        !asked && !is_set_alone(c, g)) {
        *is = outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "is an inequality for the set", g);
        return RDV_OK;
    }
    bool relation = a->is == VALUE_RELATION || g->is == VALUE_RELATION;
    *is = same ? outcome_same(c, relation ? "relation" : "set")
               : outcome_pair(c, RDV_DIFFERENT, "set", a, "is not the set", g);
    return RDV_OK;
}

/* Are both equations of two sides whose differences are the same, or of opposite sign? */
static rdv_same same_difference(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_arena *arena = c->reader.arena;
    rdv_str key;
    const answer_value *const sides[] = {a->items[0], a->items[1], g->items[0], g->items[1]};
    for (size_t i = 0; i < 4; i++) { /* each by itself a formula: no bracket closes another's */
        int rc = math_key(sides[i]->text, c->reader.how.work, arena, &key, c->reader.err);
        c->fault = rc < 0 ? rc : c->fault;
        if (rc != RDV_OK)
            return RDV_CANNOT_TELL;
    }
    rdv_str left =
        rdv_str_printf(arena, "(%.*s)-(%.*s)", RDV_FMT(sides[0]->text), RDV_FMT(sides[1]->text));
    for (int turned = 0; turned < 2; turned++) {
        rdv_str right = rdv_str_printf(arena, "(%.*s)-(%.*s)", RDV_FMT(sides[2 + turned]->text),
                                       RDV_FMT(sides[3 - turned]->text));
        math_sameness same;
        if (!left.p || !right.p) {
            c->fault = rdv_no_memory(c->reader.err);
            return RDV_CANNOT_TELL;
        }
        int rc = math_same(left, right, c->reader.how.work, &same, c->reader.err);
        c->fault = rc < 0 ? rc : c->fault;
        if (rc == RDV_OK && same.is == MATH_SAME)
            return RDV_SAME;
    }
    return RDV_CANNOT_TELL;
}

/* Equations are the same up to a factor; what else their solutions have in common does not count.
 */
static rdv_same relations(comparer *c, const answer_value *a, const answer_value *g)
{
    bool equal = !is_inequality(a) && !is_inequality(g);
    bool scaled = rdv_find(a->key, RDV_STR(") "), 0) == RDV_NOT_FOUND &&
                  rdv_find(g->key, RDV_STR(") "), 0) == RDV_NOT_FOUND; /* both are polynomials */
    if (scaled && (equal || is_inequality(a) != is_inequality(g)))
        return outcome_pair(c, RDV_DIFFERENT, "relation", a, "is not", g);
    if (equal && same_difference(c, a, g) == RDV_SAME) /* of a chain only the last value counts */
        return outcome_same(c, "relation");
    return outcome_pair(c, RDV_CANNOT_TELL, "relation", a, "is not decided against", g);
}

/* ---- all forms ------------------------------------------------------------------------------- */

/* What a value is without the name that it is given. */
static const answer_value *unnamed(const answer_value *v)
{
    return v->is == VALUE_NAMED ? v->items[0] : v;
}

/* "5, 5" for 5. */
static bool repeats_only(const answer_value *list, const answer_value *v)
{
    for (size_t i = 0; i < list->n; i++)
        if (!rdv_str_eq(list->items[i]->key, v->key))
            return false;
    return list->repeats;
}

/* A list and one number. */
static rdv_same list_and_number(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value comma;
    const answer_value *list = a->is == VALUE_LIST ? a : g, *number = list == a ? g : a;
    if (repeats_only(list, number))
        return outcome_not(c, RDV_CANNOT_TELL, "assumption", "%s", repeated);
    if (!compare_decimal_comma(c, list, &comma))
        return outcome_other_form(c, a, g);
    if (list == a && !list->named) {
        rdv_same told = value_compare(c, &comma, g);
        return told == RDV_SAME ? outcome_same(c, "comma") : told;
    }
    rdv_same is = value_compare(c, number, &comma);
    if (is == RDV_SAME) /* of "1,2" and "x = 1,2", which may be two numbers, 1.2 is none */
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "whether %s is the one number %.*s is not said",
                           list == g ? "gold" : "the answer", RDV_FMT(comma.key));
    return is == RDV_DIFFERENT ? outcome_other_form(c, a, g) : is;
}

/* Z for \mathbb{Z}: the same set, or a letter. */
static bool may_be_letter_of(const answer_value *set, const answer_value *v)
{
    rdv_str open = RDV_STR("\\mathbb{");
    return rdv_starts(set->text, open) && v->text.len == 1 &&
           rdv_lower(v->text.p[0]) == rdv_lower(set->text.p[open.len]);
}

/* Words, but not the name of a set of numbers. */
static bool is_unread_words(const answer_value *v)
{
    return v->is == VALUE_WORDS && !rdv_starts(v->key, RDV_STR("\\mathbb"));
}

/* Letters that were read as a word may be a product, "abc" beside "a*b*c"; other words may be a
 * number or a quantity that is not read. */
static rdv_same words_and_value(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value product = {.is = VALUE_EXPRESSION};
    const answer_value *words = a->is == VALUE_WORDS ? a : g, *other = words == a ? g : a;
    if (!words->text.len) /* an empty cell */
        return outcome_other_form(c, a, g);
    product.text = formal_product(words->text, c->reader.arena);
    if (!product.text.p)
        c->fault = rdv_no_memory(c->reader.err);
    if (c->fault || (other->is == VALUE_EXPRESSION && product.text.p != words->text.p &&
                     formal_same_letters(words->text, other->text))) {
        product.key = product.text;
        return words == a ? compare_expressions(c, &product, g)
                          : compare_expressions(c, a, &product);
    }
    return outcome_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                       RDV_FMT(outcome_value_shown(c, words)));
}

/* Is a part of it not read: "the sum of 2 and 3"? */
static bool holds_words(const answer_value *v)
{
    for (size_t i = 0; (v->is == VALUE_LIST || v->is == VALUE_TUPLE) && i < v->n; i++)
        if (v->items[i]->unread || is_unread_words(v->items[i]))
            return true;
    return false;
}

static rdv_same different_forms(comparer *c, const answer_value *a, const answer_value *g)
{
    bool list = a->is == VALUE_LIST || g->is == VALUE_LIST;
    bool tuple = a->is == VALUE_TUPLE || g->is == VALUE_TUPLE;
    bool number = a->is == VALUE_EXPRESSION || g->is == VALUE_EXPRESSION;
    if (a->is == VALUE_RECORD || g->is == VALUE_RECORD)
        return record_and_other(c, a, g);
    if (list && tuple)
        return list_and_tuple(c, a, g);
    if (holds_words(a) || holds_words(g))
        return outcome_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                           RDV_FMT(outcome_value_shown(c, holds_words(a) ? a : g)));
    if (tuple && (a->is == VALUE_MATRIX || g->is == VALUE_MATRIX))
        return matrix_and_tuple(c, a, g);
    if (number && (a->is == VALUE_RATIO || g->is == VALUE_RATIO))
        return ratio_and_number(c, a, g);
    if (number && list && !a->unread && !g->unread)
        return list_and_number(c, a, g);
    if (may_be_letter_of(a, g) || may_be_letter_of(g, a))
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "may be meant by", g);
    if (a->unread || g->unread)
        return outcome_not(c, RDV_CANNOT_TELL, "unread", "%.*s is not read as mathematics",
                           RDV_FMT(outcome_value_shown(c, a->unread ? a : g)));
    if (is_unread_words(a) || is_unread_words(g))
        return words_and_value(c, a, g);
    const answer_value *other_side = a->is == VALUE_CONGRUENCE ? g : a;
    if ((a->is == VALUE_CONGRUENCE || g->is == VALUE_CONGRUENCE) &&
        name_has_letters(other_side->text)) /* "7k + 3 for any k" */
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "may be meant by", g);
    const answer_value *matrix = a->is == VALUE_MATRIX ? a : g, *other = matrix == a ? g : a;
    if (matrix->is == VALUE_MATRIX && other->is == VALUE_EXPRESSION &&
        name_has_letters(other->text)) /* "2i - j", "I_2" */
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "may be meant by", g);
    const answer_value *none = a->is == VALUE_EMPTY ? a : g;
    if (is_zero(none == a ? g : a) && rdv_str_ieq(none->text, RDV_STR("none")))
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "may be meant by", g);
    return outcome_other_form(c, a, g);
}

static rdv_same one_form(comparer *c, const answer_value *a, const answer_value *g)
{
    switch (a->is) {
    case VALUE_EXPRESSION:
        return compare_expressions(c, a, g);
    case VALUE_LIST:
        return lists(c, a, g);
    case VALUE_TUPLE:
        return tuples(c, a, g);
    case VALUE_MATRIX:
        return matrices(c, a, g);
    case VALUE_RECORD:
        return records(c, a, g);
    case VALUE_RATIO:
        return ratios(c, a, g);
    case VALUE_RELATION:
        return relations(c, a, g);
    case VALUE_EMPTY: /* a value that is undefined is not the empty set of solutions */
        return outcome_pair(c, RDV_CANNOT_TELL, "assumption", a, "may be meant by", g);
    case VALUE_WORDS:
        return formal_may_be_value(a->text) || formal_may_be_value(g->text) ||
                       formal_is_abbreviation(a->text, g->text)
                   ? outcome_pair(c, RDV_CANNOT_TELL, "unread", a, "may be meant by", g)
                   : outcome_pair(c, RDV_DIFFERENT, "text", a, "is not", g);
    default:
        return outcome_pair(c, RDV_DIFFERENT, "exact", a, "is not", g);
    }
}

/* Sets of numbers whose ends cannot be put in order: the same if their parts are, else other parts
 * may still have the same numbers in them. */
static rdv_same unordered_sets(comparer *c, const answer_value *a, const answer_value *g)
{
    bool lists = a->is == g->is; /* lists, or unions: two relations do not come here */
    for (size_t i = 0; lists && a->is == VALUE_UNION && i + 1 < a->n; i++)
        lists = a->signs[i] == RDV_UNION;
    for (size_t i = 0; lists && g->is == VALUE_UNION && i + 1 < g->n; i++)
        lists = g->signs[i] == RDV_UNION;
    if (lists && a->either == g->either && as_sets(c, a, g) == RDV_SAME)
        return RDV_SAME;
    return outcome_pair(c, RDV_CANNOT_TELL, "set", a, "is not compared with", g);
}

/* Has an item of it a unit, which keys do not have? */
static bool holds_unit(const answer_value *v)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->items[i]->unit.len)
            return true;
    return false;
}

/* "3,05" and "3,5", "12,50" and "12,5": are they the same as two numbers and not as decimals, or
 * the other way round? In another order, "3,5" and "5,3", they are two numbers. */
static bool depends_on_commas(comparer *c, const answer_value *a, const answer_value *g)
{
    answer_value x, y;
    if (a->is != VALUE_LIST || g->is != VALUE_LIST || !compare_decimal_comma(c, a, &x) ||
        !compare_decimal_comma(c, g, &y))
        return false;
    bool lists = rdv_str_eq(a->key, g->key), numbers = rdv_str_eq(x.key, y.key);
    return lists ? !numbers && rdv_str_eq(a->items[0]->key, g->items[0]->key) : numbers;
}

/* Are two lists that are the same set written in another order, where the question asks for one? */
static bool is_reordered(comparer *c, const answer_value *a, const answer_value *g, rdv_same *is)
{
    bool lists = a->is == VALUE_LIST && g->is == VALUE_LIST && a->n == g->n;
    order_asked asked = lists ? order_is_asked(c->how.question) : ORDER_NOT;
    rdv_same ordered = asked ? in_order(c, a->items, g->items, a->n) : RDV_SAME;
    *is = asked == ORDER_ASKED ? ordered : RDV_CANNOT_TELL;
    return ordered != RDV_SAME && as_sets(c, a, g) == RDV_SAME;
}

rdv_same value_compare(comparer *c, const answer_value *a, const answer_value *g)
{
    rdv_same is;
    measure am, gm;
    if (c->fault)
        return RDV_CANNOT_TELL;
    if (c->left == 0) {
        c->why = "limit";
        c->reason = RDV_STR("too many values to compare");
        return RDV_CANNOT_TELL;
    }
    c->left--;
    if (depends_on_commas(c, a, g))
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "whether the comma is a decimal one is not said");
    if (is_reordered(c, a, g, &is))
        return is == RDV_DIFFERENT
                   ? outcome_not(c, is, "set", "their order is another one")
                   : outcome_not(c, is, "assumption", "whether the order counts is not said");
    const answer_value *av = unnamed(a), *gv = unnamed(g);
    bool one_name = a->is != g->is || a->is != VALUE_NAMED ||
                    rdv_str_eq(a->names[0], g->names[0]); /* "x = 20 kg" is not "20 m" */
    if (one_name && compare_units_differ(av, gv, &am, &gm))
        return compare_quantities(c, av, am, gv, gm);
    if (rdv_str_eq(a->key, g->key) && !(a->is == VALUE_TUPLE && holds_unit(a) && holds_unit(g)))
        return outcome_same(c, a->is == VALUE_RELATION ? "relation" : "exact");
    if ((a->is == VALUE_NAMED && g->is == VALUE_RELATION) ||
        (g->is == VALUE_NAMED && a->is == VALUE_RELATION))
        return name_and_relation(c, a, g);
    if (a->is == VALUE_NAMED && g->is == VALUE_NAMED && (a->quantity || g->quantity) &&
        !rdv_str_eq(a->names[0], g->names[0])) /* "AB:CD = 2" and "CD:AB = 2" */
        return outcome_not(c, RDV_CANNOT_TELL, "assumption",
                           "how the quantities that are named are related is not said");
    if (a->is == VALUE_NAMED && g->is == VALUE_NAMED)
        return named_values(c, a, g);
    a = unnamed(a);
    g = unnamed(g);
    if (rdv_str_eq(a->key, g->key))
        return outcome_same(c, "exact");
    if (is_set(a) || is_set(g)) {
        int rc = by_real_sets(c, a, g, &is);
        if (rc == RDV_OK)
            return is;
        c->fault = rc < 0 ? rc : 0;
        if (c->fault)
            return RDV_CANNOT_TELL;
        if (a->is != VALUE_RELATION || g->is != VALUE_RELATION)
            return unordered_sets(c, a, g);
    }
    return a->is == g->is ? one_form(c, a, g) : different_forms(c, a, g);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Changes by a percentage, rates, and numbers in another form, of claims in words: "a 25% discount
 * on $60", "4 pens at $3 each", "3/8 as a decimal". */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void next_is_article(reading *r)
{
    verbal_next_is_one_of(r, (const char *const[]){"a", "an", "the", "its"}, 4);
}

/* ---- changes --------------------------------------------------------------------------------- */

/* What adds to a value, and what takes off it: "25% discount", "8% sales tax", "5% interest". */
static bool change_name(reading *r, node_is *is)
{
    static const char *const rises[] = {"tax",     "tip",    "gratuity", "increase",  "raise",
                                        "markup",  "fee",    "interest", "growth",    "surcharge",
                                        "premium", "profit", "bonus",    "commission"},
                             *const falls[] = {"discount", "reduction", "decrease", "markdown",
                                               "loss",     "rebate",    "drop"};
    verbal_next_is_one_of(r, (const char *const[]){"sales", "service", "price", "simple"}, 4);
    *is = N_ADD;
    if (verbal_next_is_one_of(r, rises, COUNT(rises)))
        return true;
    *is = N_SUBTRACT;
    return verbal_next_is_one_of(r, falls, COUNT(falls));
}

/* Is the change that was read interest, which is paid more than once? */
static bool is_interest(const reading *r)
{
    return verbal_word_at(r, r->p.pos - 1, "interest") || verbal_word_at(r, r->p.pos - 1, "growth");
}

/* Where time is spoken of, a rate is taken more than once. */
static bool speaks_of_time(rdv_str text)
{
    static phrase_list words = {
        "year*;month*;annual*;quarterly;daily;weekly;day*;week*;per;each;every;compound*;twice"};
    return phrase_in(text, &words);
}

/* The part that changes `whole`, what comes of it, and what would come if it were taken the other
 * way round; the words may mean each of them. `part_first`: the part is said to be meant. */
static node *changed(reading *r, node_is is, node *whole, node *percentage, bool part_first)
{
    if (!whole || speaks_of_time(r->p.t->text))
        return NULL;
    node *part = verbal_operation(r, N_MULTIPLY, whole, percentage);
    node *sum = verbal_operation(r, is, whole, part);
    r->other = part_first ? sum : part;
    r->unsaid = verbal_operation(r, is == N_ADD ? N_SUBTRACT : N_ADD, whole, part);
    if (whole->is != N_UNIT)
        r->counted = r->noun;
    return part_first ? part : sum;
}

/* "$60", "a $40 bill" */
static node *changed_operand(reading *r)
{
    next_is_article(r);
    return verbal_operand(r);
}

/* "a 25% discount on $60", "8% tax on $50", "25% off $80", "20% off of $50" */
node *verbal_change_on(reading *r)
{
    static const char *const on[] = {"on", "off", "from", "to"};
    node_is is;
    bool added = r->p.pos > 0 && (verbal_word_at(r, r->p.pos - 1, "adding") ||
                                  verbal_word_at(r, r->p.pos - 1, "add"));
    next_is_article(r);
    node *percentage = verbal_percentage(r);
    if (!percentage)
        return NULL;
    if (verbal_next_is(r, "off")) {
        verbal_next_is(r, "of");
        return changed(r, N_SUBTRACT, changed_operand(r), percentage, false);
    }
    is = N_ADD;
    if (!(added && verbal_word_at(r, r->p.pos, "to")) && !change_name(r, &is))
        return NULL;
    bool interest = is_interest(r);
    if (!verbal_next_is_one_of(r, on, COUNT(on) - !added)) /* "an increase to 50" comes to 50 */
        return NULL;
    node *part = changed(r, is, changed_operand(r), percentage, true);
    r->yearly = interest ? part : NULL;
    return part;
}

node *verbal_changed(reading *r, node *whole)
{
    static const char *const joints[] = {"with", "after", "plus", "minus", "less", "at"};
    node_is is;
    if (!verbal_next_is_one_of(r, joints, COUNT(joints)))
        return NULL;
    next_is_article(r);
    node *percentage = verbal_percentage(r);
    if (percentage && verbal_next_is(r, "off"))
        return changed(r, N_SUBTRACT, whole, percentage, false);
    return percentage && change_name(r, &is) && !is_interest(r)
               ? changed(r, is, whole, percentage, false)
               : NULL;
}

/* The result is a percentage; a number would be the difference. */
node *verbal_relative_change(reading *r)
{
    static const char *const names[] = {"increase", "decrease", "change"};
    verbal_next_is(r, "the");
    verbal_next_is_one_of(r, (const char *const[]){"percent", "percentage"}, 2);
    if (!verbal_next_is_one_of(r, names, COUNT(names)) || !verbal_next_is(r, "from"))
        return NULL;
    node *a = verbal_operand(r), *b = a && verbal_next_is(r, "to") ? verbal_operand(r) : NULL;
    node *change = verbal_operation(r, N_ABS, verbal_operation(r, N_SUBTRACT, b, a), NULL);
    r->share = true;
    return verbal_operation(r, N_DIVIDE, change, a);
}

/* ---- rates ----------------------------------------------------------------------------------- */

/* Do the words at two tokens name the same thing, one or several: "hour" and "hours"? */
static bool same_noun(const reading *r, size_t one, size_t several)
{
    rdv_str a = tok_text(r->p.t, one), b = tok_text(r->p.t, several);
    if (a.len < b.len && rdv_lower(b.p[b.len - 1]) == 's')
        b.len--;
    return rdv_str_ieq(a, b);
}

/* May a rate begin at token `i`? A sum of several prices may have begun before: "2 pens at $1 each
 * and 3 rulers at $2 each". */
static bool begins_alone(const reading *r, size_t i)
{
    return i == 0 || (parse_tok(&r->p, i - 1)->kind != TOK_COMMA &&
                      !verbal_word_at(r, i - 1, "and") && !verbal_word_at(r, i - 1, "then"));
}

/* "$15 per hour", "$3 each": the number; the noun that it is counted by at *per, 0: each thing. */
static node *rate(reading *r, size_t *per)
{
    static const char *const each[] = {"each", "apiece"};
    node *n = verbal_operand(r);
    *per = 0;
    if (!n || verbal_next_is_one_of(r, each, COUNT(each)))
        return n;
    static const char *const of_one[] = {"per", "an", "a", "every"};
    if (!verbal_next_is_one_of(r, of_one, COUNT(of_one)) || !verbal_is_noun(r, r->p.pos))
        return NULL;
    *per = r->p.pos++;
    return n;
}

node *verbal_rate(reading *r)
{
    size_t per, i = r->p.pos;
    reading keep = *r;
    if (!begins_alone(r, i))
        return NULL;
    node *a = verbal_operand(r), *b = NULL;
    size_t things = r->noun;
    bool one_noun = things && r->p.pos == things + 1;
    r->unit = keep.unit;
    if (a && one_noun && verbal_next_is(r, "at")) { /* "4 pens at $3 each" */
        b = rate(r, &per);
        bool measured = unit_find_in_prose(tok_text(r->p.t, things), &(unit_meaning){0});
        bool fits = b && (per ? same_noun(r, per, things) : !measured && b->is == N_UNIT);
        r->counted = b && b->is != N_UNIT ? r->noun : 0;
        return fits ? verbal_operation(r, N_MULTIPLY, a, b) : NULL;
    }
    r->p.pos = i;
    a = rate(r, &per); /* "60 miles per hour for 3 hours" */
    size_t counted = r->noun;
    unit_meaning counted_in = r->unit;
    if (!a || !per || !verbal_next_is_one_of(r, (const char *const[]){"for", "times"}, 2))
        return NULL;
    r->unit = keep.unit;
    b = verbal_operand(r);
    if (!b || !r->noun || r->p.pos != r->noun + 1 || !same_noun(r, per, r->noun))
        return NULL;
    r->unit = counted_in;
    r->counted = a->is != N_UNIT ? counted : 0;
    return verbal_operation(r, N_MULTIPLY, a, b);
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* "12 hundredths" */
static node *tenths(reading *r)
{
    node *n = verbal_operand(r);
    if (!n || r->named || n->is != N_DIVIDE || n->b->is != N_CONSTANT || n->b->value < 10)
        return NULL;
    r->decimal = true;
    return n;
}

/* "3/8 as a decimal", "40% as a fraction", "12 as a percentage of 48" */
node *verbal_restated(reading *r)
{
    static const char *const forms[] = {"decimal", "fraction", "percentage", "percent"};
    size_t i = r->p.pos;
    node *n = tenths(r);
    if (n && !verbal_word_at(r, r->p.pos, "as"))
        return n;
    r->decimal = false;
    r->p.pos = i;
    n = verbal_percentage(r);
    if (!n) {
        r->p.pos = i;
        n = verbal_operand(r);
    }
    bool fraction = n && n->is == N_DIVIDE && !r->in_words && !r->named;
    if (fraction &&
        (verbal_word_at(r, r->p.pos, "simplifies") || verbal_word_at(r, r->p.pos, "reduces"))) {
        r->any_form = true;
        return n;
    }
    if (!n || r->named || !verbal_next_is(r, "as") || !verbal_next_is(r, "a") ||
        !verbal_next_is_one_of(r, forms, COUNT(forms)))
        return NULL;
    r->any_form = true;
    r->p.e->n_operators++;
    bool percents = verbal_word_at(r, r->p.pos - 1, "percentage");
    if (!verbal_next_is(r, "of"))
        return n;
    r->share = true;
    return percents ? verbal_operation(r, N_DIVIDE, n, verbal_operand(r)) : NULL;
}

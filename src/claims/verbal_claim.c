/* SPDX-License-Identifier: Apache-2.0 */
/* One claim in words: an operation, a word that claims, a result; or the result first. */
#include "claims/verbal_reading.h"

#include "base/str.h"
#include "claims/adjacency.h"
#include "claims/connective.h"
#include "expression/eval.h"
#include "language/phrase.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_NEAREST 1000000 /* bits of numbers for one look at what is meant */

/* What claims the result of an operation behind its verb: "subtract 5 from 12 to get 7". */
static bool verb_claims(reading *r)
{
    static const char *const to[] = {"get", "give", "obtain", "find", "yield", "make", "have"};
    static const char *const who[] = {"we", "you", "one", "i", "he", "she", "they"};
    static const char *const got[] = {"get", "have", "obtain", "find"};
    bool goal = verbal_next_is(r, "to"), joined = !goal && verbal_next_is(r, "and");
    if ((goal || joined) && verbal_next_is_one_of(r, to, COUNT(to)))
        return true;
    if (goal)
        return false;
    return verbal_next_is(r, "giving") ||
           (verbal_next_is_one_of(r, who, COUNT(who)) && verbal_next_is_one_of(r, got, COUNT(got)));
}

static bool is_sign(const reading *r, size_t i)
{
    tok_kind k = parse_tok(&r->p, i)->kind;
    return k == TOK_EQUAL || k == TOK_APPROX;
}

/* Words that claim a result; after a verb other ones too. */
static bool words_claim(reading *r, bool verb)
{
    const tokens *t = r->p.t;
    bool comma = verb && parse_tok(&r->p, r->p.pos)->kind == TOK_COMMA, difference;
    r->p.pos += comma;
    if (verbal_next_is(r, "which") && !verb)
        return false;
    size_t n = connective_equality(t, r->p.pos);
    if (n && !(comma && is_sign(r, r->p.pos))) {
        r->p.pos += n;
        return true;
    }
    if (verbal_next_is_one_of(r, (const char *const[]){"simplifies", "reduces"}, 2))
        return r->any_form && verbal_next_is(r, "to");
    n = connective_verb(t, r->p.pos, &difference);
    r->p.pos += n;
    if (n)
        return !difference || r->p.e->root->is == N_SUBTRACT;
    return verb && verb_claims(r);
}

/* The same, and that the result is not meant exactly. */
static bool claims(reading *r, bool verb)
{
    size_t begin = r->p.pos;
    if (r->counts_times) {
        verbal_next_is(r, "exactly");
        return true;
    }
    if (!words_claim(r, verb))
        return false;
    r->p.pos += connective_hedge(r->p.t, r->p.pos); /* "to get about 8" */
    r->about = connective_is_about(r->p.t, begin, r->p.pos - begin);
    return true;
}

/* Does the clause end here? */
bool verbal_clause_ends(const reading *r)
{
    static const char *const joining[] = {"and",  "so",   "which",     "because", "since",
                                          "then", "but",  "therefore", "thus",    "hence",
                                          "in",   "left", "for",       "when",    "while"};
    size_t i = r->p.pos;
    switch (parse_tok(&r->p, i)->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_CLOSE:
        return true;
    case TOK_COMMA:
    case TOK_PUNCT:
        return !adjacency_takes_part_after(r->p.t, i) &&
               r->p.t->text.p[r->p.t->at[i].begin] != '?' &&
               !adjacency_takes_part_after(r->p.t, i - 1);
    case TOK_WORD:
        return rdv_is_one_of(tok_text(r->p.t, i), joining, COUNT(joining)) &&
               parse_tok(&r->p, i + 1)->kind != TOK_NUMBER;
    default:
        return false;
    }
}

/* "the remainder when dividing 40 by 6" */
static bool is_condition(const tokens *t, size_t i)
{
    static const char *const words[] = {"when", "after", "of", "if", "from", "before", "than"};
    return i > 0 && t->at[i - 1].kind == TOK_WORD &&
           rdv_is_one_of(tok_text(t, i - 1), words, COUNT(words));
}

/* Does the "and" at token `i` join clauses, not the items of a list: "for 2, 1, and 5/3"? */
static bool joins_clauses(const tokens *t, size_t i, size_t last_end)
{
    if (i == last_end && last_end > 0)
        return true;
    if (i == 0 || (t->at[i - 1].kind != TOK_COMMA && t->at[i - 1].kind != TOK_PUNCT))
        return false;
    tok_kind item = i > 1 ? t->at[i - 2].kind : TOK_END;
    return (i - 1 == last_end && last_end > 0) || t->at[i - 1].kind == TOK_PUNCT ||
           (item != TOK_NUMBER && item != TOK_CLOSE);
}

/* May a claim begin at token `i`: at the beginning of a clause? */
bool verbal_clause_begins(const tokens *t, size_t i, size_t last_end)
{
    static const char *const joining[] = {
        "so",  "then",  "that",    "thus", "hence",   "therefore", "now",  "as",
        "but", "since", "because", "know", "finally", "first",     "also", "next"};
    if (i == 0)
        return true;
    tok_kind k = t->at[i - 1].kind;
    if (k == TOK_WORD && rdv_str_ieq(tok_text(t, i - 1), RDV_STR("and")))
        return joins_clauses(t, i - 1, last_end);
    if (k == TOK_WORD)
        return rdv_is_one_of(tok_text(t, i - 1), joining, COUNT(joining));
    return k == TOK_NEWLINE || k == TOK_PUNCT || (k == TOK_COMMA && t->at[i].space_before) ||
           k == TOK_OPEN;
}

/* The whole number at token `i`, which is below 10^9. */
static bool whole_at(const reading *r, size_t i, unsigned long *value)
{
    unsigned word;
    if (verbal_number_words(r, i, &word)) {
        *value = word;
        return true;
    }
    rdv_str w = tok_text(r->p.t, i);
    *value = 0;
    for (size_t k = 0; k < w.len; k++) {
        if (!rdv_is_digit(w.p[k]) && w.p[k] != ',')
            return false;
        *value = w.p[k] == ',' ? *value : *value * 10 + (unsigned long)(w.p[k] - '0');
    }
    return w.len > 0 && w.len < 10;
}

/* a^b; 0: over the limit. */
static unsigned long power_of(unsigned long a, unsigned long b)
{
    unsigned long all = 1;
    for (; b > 0 && all && all < UINT32_MAX; b--)
        all *= a;
    return b ? 0 : all;
}

/* Groups of things make as many things, unless the number says something else of them: how many
 * groups there are, how many are in one, or how often one can choose. */
static bool is_how_many(const reading *r, size_t result)
{
    unsigned long n, each, all;
    if (!whole_at(r, r->of.number, &n) || !whole_at(r, result, &all))
        return false;
    if (!r->of.each)
        return all != n;
    if (!whole_at(r, r->of.each, &each) || each == 0)
        return false;
    return all == n * each ||
           (all != n && all != each && all != n + each && all * each != n && all * n != each &&
            all != power_of(n, each) && all != power_of(each, n));
}

static bool speaks_of_money(rdv_str text)
{
    static phrase_list words = {"price*;cost*;pay*;paid;dollar*;cents;sell*;sold;"
                                "worth;earn*;charge*;baker*;point*"};
    return rdv_find_char(text, '$', 0) != RDV_NOT_FOUND || phrase_in(text, &words);
}

/* Are the things of the groups those of the result, whose number is at token `i` and whose words
 * end before `end`? */
static bool counts_the_same(const reading *r, size_t i, size_t end)
{
    if (parse_tok(&r->p, i)->kind == TOK_CURRENCY || speaks_of_money(r->p.t->text))
        return false;
    if (i + 1 == end || r->of.noun == r->of.end)
        return !r->unit.unit || r->of.noun < r->of.end;
    return rdv_str_ieq(tok_text(r->p.t, i + 1), tok_text(r->p.t, r->of.noun));
}

/* The percentage or fraction that says how much of a whole something is. */
static node *share_result(reading *r)
{
    size_t i = r->p.pos;
    if (parse_tok(&r->p, i)->kind == TOK_FRAC || parse_tok(&r->p, i + 1)->kind == TOK_DIVIDE)
        return verbal_fraction(r, i);
    expression e;
    int status = parse_expression(r->p.t, i, r->p.arena, &e);
    r->p.nomem |= status == RDV_E_NOMEM;
    if (status != RDV_OK || e.root->is != N_PERCENT || !expression_is_plain(&e))
        return NULL;
    *r->p.e = e;
    r->p.pos = e.end;
    return e.root;
}

void verbal_pass_each(reading *r)
{
    if (r->shared_out && verbal_next_is_one_of(r, (const char *const[]){"each", "apiece"}, 2))
        return;
    bool per = verbal_word_at(r, r->p.pos, "per") && verbal_is_noun(r, r->p.pos + 1);
    r->p.pos += per ? 2 : 0;
}

/* Do the words after the result count what the words before it do? "Half of the 36 cookies is 18
 * cookies"; "60 split among 5 people is 12 each". */
static bool counts_what_is_said(reading *r, size_t i)
{
    bool money = r->p.e->root->is == N_UNIT || parse_tok(&r->p, i)->kind == TOK_CURRENCY;
    size_t noun = r->noun;
    if (r->counted &&
        (money || (noun && !rdv_str_ieq(tok_text(r->p.t, noun), tok_text(r->p.t, r->counted)))))
        return false;
    verbal_pass_each(r);
    return true;
}

/* A number in any form: "0.375", "3/8", "37.5%". */
static node *any_result(reading *r)
{
    size_t i = r->p.pos;
    node *n = share_result(r);
    if (!n && !r->share) {
        r->p.pos = i;
        n = verbal_operand(r);
    }
    return n;
}

/* Interest of some months or years, and not of one? The text need not say of how many. */
static bool is_of_months(const reading *r, const node *claimed)
{
    if (!r->yearly)
        return false;
    uint64_t budget = MAX_NEAREST;
    evaluation ev = {.t = r->p.t, .budget = &budget};
    fmpq_t part, x;
    fmpq_init(part);
    fmpq_init(x);
    bool is = eval_exact(&ev, r->yearly, part) == EVAL_OK &&
              eval_exact(&ev, claimed, x) == EVAL_OK && !fmpq_is_zero(part);
    if (is) {
        fmpq_div(x, x, part);
        bool year = fmpq_is_one(x);
        fmpq_mul_ui(x, x, 12);
        is = !year && fmpz_is_one(fmpq_denref(x));
    }
    fmpq_clear(part);
    fmpq_clear(x);
    return is;
}

/* The result that is claimed, at the end of a clause. */
static bool result(reading *r)
{
    size_t i = r->p.pos;
    bool things = r->named && !r->money && !r->divided;
    r->noun = 0;
    node *n = r->share || r->any_form ? any_result(r) : verbal_operand(r);
    if (!n || n->is == N_MULTIPLY || /* "60 dozens" */
        (r->counts_times && !verbal_next_is_one_of(r, (const char *const[]){"times", "time"}, 2)))
        return false;
    if (r->of.end && (n->is == N_DIVIDE || !is_how_many(r, i) || !counts_the_same(r, i, r->p.pos)))
        return false;
    r->p.e->root = n;
    if (r->decimal && (r->named || rdv_find_char(tok_text(r->p.t, i), '.', 0) == RDV_NOT_FOUND))
        return false;
    if ((things && r->money) || /* "1/2 of 6 quarters is 75 cents" */
        (r->in_words && r->named) || !counts_what_is_said(r, i) || is_of_months(r, n))
        return false;
    return !r->units_differ && verbal_clause_ends(r);
}

/* How far two numbers are from each other; false: they have no value. */
static bool distance(const tokens *t, const node *a, const node *b, fmpq_t out)
{
    uint64_t budget = MAX_NEAREST;
    evaluation ev = {.t = t, .budget = &budget};
    fmpq_t x;
    fmpq_init(x);
    bool is = eval_exact(&ev, a, out) == EVAL_OK && eval_exact(&ev, b, x) == EVAL_OK;
    fmpq_sub(out, out, x);
    fmpq_abs(out, out);
    fmpq_clear(x);
    return is;
}

/* Is `a` nearer than `b` to the result that is claimed? */
static bool is_nearer(const reading *r, const node *a, const node *b, const node *claimed)
{
    fmpq_t x, y;
    fmpq_init(x);
    fmpq_init(y);
    bool nearer = a && distance(r->p.t, a, claimed, x) && distance(r->p.t, b, claimed, y) &&
                  fmpq_cmp(x, y) < 0 && !(r->exactly && !fmpq_is_zero(x));
    fmpq_clear(x);
    fmpq_clear(y);
    return nearer;
}

/* Of what the words may mean, the one that is nearest to the result that they claim. NULL: that is
 * what they do not say. */
static node *meant(const reading *r, node *first, const node *claimed)
{
    node *nearest = is_nearer(r, r->other, first, claimed) ? r->other : first;
    return is_nearer(r, r->unsaid, nearest, claimed) ? NULL : nearest;
}

/* The claim at token `i` in one form, as two terms of `out`. */
static bool claim_in_form(reading *r, const verbal_form *form, expression *out)
{
    size_t i = r->p.pos;
    out[0] = (expression){.begin = i};
    r->p.e = &out[0];
    out[0].root = form->read(r);
    out[0].begin = i;
    out[0].end = r->p.pos;
    bool sign = is_sign(r, r->p.pos), gives = verbal_word_at(r, r->p.pos, "gives");
    if (!out[0].root || !claims(r, form->first & SPOKEN_VERB))
        return false;
    const node *root = out[0].root; /* "1200 divided by 5 friends is $240" */
    r->divided = root->is == N_DIVIDE && root->b->is != N_CONSTANT;
    if ((form->signs && sign) || (r->of.end && gives))
        return false; /* the usual reader has equations of signs; so many boxes give points */
    out[1] = (expression){.begin = r->p.pos};
    r->p.e = &out[1];
    bool ends = result(r);
    out[1].end = r->p.pos - r->counts_times;
    if (ends)
        out[0].root = meant(r, out[0].root, out[1].root);
    return ends && out[0].root;
}

/* "12 is", "48 =" where the result stands first. */
static bool result_first(reading *r, expression *out)
{
    *out = (expression){.begin = r->p.pos};
    r->p.e = out;
    out->root = verbal_operand(r);
    out->end = r->p.pos;
    return out->root && expression_is_plain(out) && claims(r, false);
}

/* "12 is 20% of 60", "48 = 12 boxes of 4": the form behind the result, which begins at token `i`.
 */
static bool turned_claim(reading *r, size_t i, const verbal_form *form, expression *out)
{
    if (form->signs && (r->unit.unit || r->p.at[r->p.pos - 1].kind != TOK_WORD))
        return false;
    size_t begin = r->p.pos;
    out[1] = (expression){.begin = begin};
    r->p.e = &out[1];
    out[1].root = form->read(r);
    out[1].begin = begin;
    out[1].end = r->p.pos;
    if (!out[1].root || r->share || r->any_form || r->counts_times || r->shared_out ||
        r->units_differ || r->counted || r->other || !verbal_clause_ends(r))
        return false;
    return !r->of.end || (is_how_many(r, i) && counts_the_same(r, i, out[0].end));
}

/* What the forms that may stand at token `i` begin with. */
static unsigned first_at(const tokens *t, size_t i)
{
    if (t->at[i].kind != TOK_WORD || (t->at[i].word & WORD_NUMBER))
        return SPOKEN_NUMBER;
    return verbal_is_verb(t, i) ? SPOKEN_VERB | SPOKEN_WORD : SPOKEN_WORD;
}

int verbal_claim_at(const tokens *t, size_t i, bool begins, rdv_arena *arena, verbal_claim *out)
{
    const reading empty = {.p = {.t = t, .at = t->at, .pos = i, .arena = arena}};
    unsigned first = first_at(t, i);
    if (!begins)
        first = is_condition(t, i) ? 0 : first & SPOKEN_VERB;
    out->inverted = false;
    for (size_t k = 0; k < SPOKEN_FORMS; k++) {
        if (!(verbal_forms[k].first & first))
            continue;
        reading r = empty;
        bool found = claim_in_form(&r, &verbal_forms[k], out->sides);
        out->about = r.about;
        if (found || r.p.nomem)
            return found ? RDV_OK : RDV_E_NOMEM;
    }
    out->inverted = true;
    reading before = empty;
    if (!(first & SPOKEN_NUMBER) || !result_first(&before, &out->sides[0]))
        return before.p.nomem ? RDV_E_NOMEM : RDV_NONE;
    first = first_at(t, before.p.pos) & ~(unsigned)SPOKEN_VERB;
    for (size_t k = 0; k < SPOKEN_FORMS; k++) {
        if (!(verbal_forms[k].first & first))
            continue;
        reading r = before;
        bool found = turned_claim(&r, i, &verbal_forms[k], out->sides);
        out->about = r.about;
        if (found || r.p.nomem)
            return found ? RDV_OK : RDV_E_NOMEM;
    }
    return RDV_NONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/later/self_corrected.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "decide/later/refuted.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/rule.h"

#include <math.h>

#define REACH 2000       /* bytes after a claim in which a phrase may take it back */
#define VALUE_REACH 600  /* bytes after the phrase in which the true value may stand */
#define TOLD_DIGITS 3    /* that a true value shows at least, to be told by a phrase alone */
#define NAMED_DIGITS 2   /* that a number has at least, by which another thing is told */
#define STATED_REACH 200 /* bytes of a right side in which the claimed number stands */

/* A decided claim of the chain. */
typedef struct claim {
    size_t step, calc; /* the calculation of that index of the step */
    bool right;        /* so it stays, whatever the chain says later: there it is wrong */
    bool taken_back;
    size_t begin, end;       /* bytes of the whole text */
    rdv_str about;           /* its left side, as all ways to write it share it */
    chain_number stated;     /* the number that it claims, the first on its right side that the left
                                one does not have; digits 0: none was read */
    size_t next;             /* the next claim of another number for it, or SIZE_MAX */
} claim;

typedef struct reader {
    step_calcs *steps;
    chain_text of;
    size_t n_thought;
    const rule_set *rules;
    rdv_arena *arena;
    size_t *phrases; /* bytes at which something is taken back, in order */
    size_t n_phrases, cap_phrases;
    bool phrases_read; /* few chains need them */
    claim *claims;
    size_t n_claims, cap_claims;
} reader;

/* ---- claims ---------------------------------------------------------------------------------- */

/* The left side without what may be written in several ways. */
static int name_side(rdv_str side, rdv_arena *arena, rdv_str *out)
{
    static const struct {
        const char *sign, *as;
    } same[] = {{"\\times", "*"},
                {"\\cdot", "*"},
                {"\xc3\x97", "*"},
                {"\xc2\xb7", "*"},
                {"\\div", "/"},
                {"\xc3\xb7", "/"},
                {"\xe2\x88\x92", "-"},
                {"\xe2\x80\x93", "-"},
                {"\\left", ""},
                {"\\right", ""},
                {"\\,", ""},
                {"\\;", ""},
                {"\\(", ""},
                {"\\)", ""},
                {"$", ""},
                {" ", ""},
                {"\n", ""}};
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    side = rdv_trim(side);
    for (size_t i = 0; i < side.len;) {
        size_t k = rdv_is_alnum(side.p[i]) ? sizeof same / sizeof *same : 0; /* most are none */
        rdv_str rest = rdv_slice(side, i, side.len);
        while (k < sizeof same / sizeof *same &&
               !(*same[k].sign == *rest.p && rdv_starts(rest, rdv_str_of(same[k].sign))))
            k++;
        bool group = side.p[i] == ',' && i > 0 && rdv_is_digit(side.p[i - 1]) && i + 1 < side.len &&
                     rdv_is_digit(side.p[i + 1]);
        bool times = side.p[i] == 'x' && i > 0 && side.p[i - 1] == ' ';
        if (k < sizeof same / sizeof *same)
            rdv_buf_add(&b, rdv_str_of(same[k].as));
        else if (!group)
            rdv_buf_add_char(&b, times ? '*' : side.p[i]);
        i += k < sizeof same / sizeof *same ? strlen(same[k].sign) : 1;
    }
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* Was it wrong, but for a phrase that takes it back? */
static bool is_taken_back(const reader *r, const rdv_calc *c)
{
    const rule *by = c->kind == RDV_CALC_UNDECIDED && c->rule.p && !c->excused
                         ? rule_set_find(r->rules, c->rule)
                         : NULL;
    return by && by->effect == EFFECT_RETRACTED && c->value.p && c->claim.p &&
           !rdv_str_eq(c->value, c->claim);
}

/* Is the number one of the side's? RDV_NONE: it is none. */
static int is_number_of(const reader *r, rdv_str side, const chain_number *of)
{
    chain_number n;
    for (size_t at = 0;;) {
        if (chain_number_next(side, &at, r->arena, &n) < 0)
            return RDV_E_NOMEM;
        if (!n.name.p || rdv_str_eq(n.name, of->name))
            return n.name.p ? RDV_OK : RDV_NONE;
    }
}

/* "6 * 7^2 = 6 * 48": what it claims is 48. */
static int read_stated(const reader *r, const rdv_calc *c, chain_number *out)
{
    int known = RDV_OK;
    for (size_t at = 0; known == RDV_OK && at < STATED_REACH;) {
        if (chain_number_next(c->rhs, &at, r->arena, out) < 0)
            return RDV_E_NOMEM;
        known = out->name.p ? is_number_of(r, c->lhs, out) : RDV_NONE;
    }
    size_t at = 0;
    bool none = known == RDV_OK || !out->name.p;
    return known < 0 ? known : none ? chain_number_next(c->rhs, &at, r->arena, out) : RDV_OK;
}

static int add_claim(reader *r, size_t step, size_t calc)
{
    const rdv_calc *c = calc_list_see(&r->steps[step].calcs, calc);
    bool taken_back = is_taken_back(r, c);
    bool decided = c->kind != RDV_CALC_UNDECIDED || taken_back;
    if (!decided || !c->lhs.p || !c->rhs.p)
        return RDV_OK;
    if (!RDV_PUSH_ROOM_LARGE(r->arena, r->claims, r->n_claims, r->cap_claims))
        return RDV_E_NOMEM;
    claim *out = &r->claims[r->n_claims++];
    *out = (claim){.step = step,
                   .calc = calc,
                   .right = c->kind <= RDV_CALC_ROUNDED,
                   .taken_back = taken_back,
                   .begin = r->of.begin[step] + c->begin,
                   .end = r->of.begin[step] + c->end,
                   .next = SIZE_MAX};
    return name_side(c->lhs, r->arena, &out->about) < 0 || read_stated(r, c, &out->stated) < 0
               ? RDV_E_NOMEM
               : RDV_OK;
}

/* Those from step `first` on: what is right before the first that is wrong stays. */
static int read_claims(reader *r, size_t first)
{
    rdv_map later;
    rdv_map_init(&later, r->arena);
    for (size_t i = first; i < r->of.n_steps; i++)
        for (size_t k = 0; k < r->steps[i].calcs.n; k++)
            if (add_claim(r, i, k) < 0)
                return RDV_E_NOMEM;
    for (size_t i = r->n_claims; i-- > 0;) {
        claim *c = &r->claims[i];
        size_t next = rdv_map_get(&later, c->about);
        if (next != RDV_MAP_MISSING)
            c->next = rdv_str_eq(r->claims[next].stated.name, c->stated.name) ? r->claims[next].next
                                                                              : next;
        if (rdv_map_put(&later, c->about, i) < 0)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* ---- phrases that take something back -------------------------------------------------------- */

static int add_phrase(reader *r, size_t at)
{
    if (!RDV_PUSH_ROOM(r->arena, r->phrases, r->n_phrases, r->cap_phrases))
        return RDV_E_NOMEM;
    size_t i = r->n_phrases++; /* nearly in order: cues of one window are found by their anchors */
    for (; i > 0 && r->phrases[i - 1] > at; i--)
        r->phrases[i] = r->phrases[i - 1];
    r->phrases[i] = at;
    return RDV_OK;
}

/* Does the cue begin a sentence, a line or a clause, after words that may lead to it: "Oh wait",
 * "That is not right"? Elsewhere its words may be of something else: "the number she sets off". */
static bool begins_clause(const cue_text *text, const assertion_cue *hit, bool first)
{
    size_t i = hit->begin;
    for (; i > 0 && !text->at[i - 1].ends_clause; i--) {
        rdv_str before = text->at[i - 1].written, word = text->at[i].written;
        rdv_str between = {before.p + before.len, (size_t)(word.p - before.p) - before.len};
        if (rdv_find_char(between, '\n', 0) != RDV_NOT_FOUND)
            return true;
        if (!hit->rule->gap || !cue_is_one_of(&text->at[i - 1], hit->rule->gap))
            return false;
    }
    return i > 0 || first;
}

static int read_phrases(reader *r)
{
    assertion_cue hits[256];
    cue_text window;
    for (size_t from = 0; from < r->of.text.len;) {
        cue_text_of(rdv_slice(r->of.text, from, r->of.text.len), &window);
        size_t n = assertion_cues(&window, rule_effects(EFFECT_RETRACTED, EFFECT_RETRACTED), hits,
                                  sizeof hits / sizeof *hits);
        bool all = window.n < sizeof window.at / sizeof *window.at;
        for (size_t i = 0; i < n; i++) {
            size_t at = (size_t)(window.at[hits[i].begin].written.p - r->of.text.p);
            bool retracts = begins_clause(&window, &hits[i], from == 0);
            const rule *mine = retracts ? rule_set_find(r->rules, hits[i].rule->id) : NULL;
            if (mine && !mine->off && add_phrase(r, at) < 0)
                return RDV_E_NOMEM;
        }
        if (all)
            break;
        from = (size_t)(window.at[window.n - CUE_OVERLAP].written.p - r->of.text.p);
    }
    r->phrases_read = true;
    return RDV_OK;
}

/* *out becomes the first phrase from byte `at` on; SIZE_MAX: there is none. */
static int next_phrase(reader *r, size_t at, size_t *out)
{
    if (!r->phrases_read && read_phrases(r) < 0)
        return RDV_E_NOMEM;
    size_t i = chain_text_first_from(r->phrases, sizeof *r->phrases, r->n_phrases, at);
    *out = i < r->n_phrases ? r->phrases[i] : SIZE_MAX;
    return RDV_OK;
}

/* ---- corrections ----------------------------------------------------------------------------- */

/* Has `other`, which stands at byte `at`, the last word against the number that is corrected? */
static bool has_last_word(const reader *r, const chain_number *corrected, const chain_number *other,
                          size_t at)
{
    size_t last = chain_text_last(&r->of, corrected);
    return !rdv_str_eq(corrected->name, other->name) &&
           (last < at || last < chain_text_last(&r->of, other));
}

static void correct(const reader *r, const claim *c, size_t step, size_t begin, size_t end)
{
    rdv_calc *calc = calc_list_at(&r->steps[c->step].calcs, c->calc);
    calc->kind = RDV_CALC_SELF_CORRECTED;
    calc->note = calc->rule = (rdv_str){0};
    calc->corrected.step = step;
    calc->corrected.begin = begin;
    calc->corrected.end = end;
}

/* By a later claim about the same thing, where a phrase takes back this one ("7 * 8 = 54 would be
 * false") or something before the later one, or in reasoning whose value is used after it.
 * RDV_NONE: it is not. */
static int correct_by_claim(reader *r, claim *c)
{
    if (c->next == SIZE_MAX || !c->stated.digits || c->right)
        return RDV_NONE;
    const claim *by = &r->claims[c->next];
    if (!by->stated.digits || !has_last_word(r, &c->stated, &by->stated, by->end))
        return RDV_NONE;
    bool used = c->step < r->n_thought && chain_text_last(&r->of, &by->stated) >= by->end;
    if (!used && !c->taken_back) {
        size_t phrase;
        if (next_phrase(r, c->end, &phrase) < 0)
            return RDV_E_NOMEM;
        if (phrase >= by->begin)
            return RDV_NONE;
    }
    size_t at = r->of.begin[by->step];
    correct(r, c, by->step, by->begin - at, by->end - at);
    return RDV_OK;
}

/* Does the number show the true value, to the digits that it has? */
static bool shows(const chain_number *n, const chain_number *value, const chain_number *wrong)
{
    double apart = fabs(n->value - value->value);
    return n->digits >= TOLD_DIGITS && apart <= n->unit &&
           2 * apart < fabs(wrong->value - value->value);
}

static int correct_at(const reader *r, claim *c, const chain_number *n)
{
    size_t step = chain_text_step_at(&r->of, n->at), end = n->at;
    chain_number again;
    if (chain_number_next(r->of.text, &end, r->arena, &again) < 0)
        return RDV_E_NOMEM;
    correct(r, c, step, n->at - r->of.begin[step], end - r->of.begin[step]);
    return RDV_OK;
}

/* Is what the phrase leads to about the claim: is the first number of some digits behind it one of
 * the claim, or the true value? Else that value may stand there by chance. */
static int is_about(const reader *r, const claim *c, const chain_number *first,
                    const chain_number *value)
{
    if (shows(first, value, &c->stated) || rdv_str_eq(first->name, c->stated.name))
        return RDV_OK;
    const rdv_calc *calc = calc_list_see(&r->steps[c->step].calcs, c->calc);
    int of_left = is_number_of(r, calc->lhs, first);
    return of_left == RDV_NONE ? is_number_of(r, calc->rhs, first) : of_left;
}

/* The first number from index `first` to byte `to` that corrects the claim by its true value; NULL:
 * there is none. */
static const chain_number *true_number(const reader *r, const claim *c, const chain_number *value,
                                       size_t first, size_t to)
{
    for (size_t i = first; i < r->of.n_numbers && r->of.numbers[i].at <= to; i++) {
        const chain_number *n = &r->of.numbers[i];
        if (shows(n, value, &c->stated) && has_last_word(r, &c->stated, n, n->at))
            return n;
    }
    return NULL;
}

/* By its true value, behind a phrase that takes something back. Most wrong results have no such
 * number behind them at all. */
static int correct_by_value(reader *r, claim *c)
{
    chain_number value;
    size_t phrase, at = 0;
    rdv_str is = calc_list_see(&r->steps[c->step].calcs, c->calc)->value;
    if (!c->stated.digits || c->right || !is.p)
        return RDV_OK;
    if (chain_number_next(is, &at, r->arena, &value) < 0)
        return RDV_E_NOMEM;
    if (!value.digits || rdv_find_char(is, '/', 0) != RDV_NOT_FOUND ||
        !true_number(r, c, &value, chain_text_number_from(&r->of, c->end),
                     c->end + REACH + VALUE_REACH))
        return RDV_OK;
    if (next_phrase(r, c->end, &phrase) < 0)
        return RDV_E_NOMEM;
    if (phrase == SIZE_MAX || phrase - c->end > REACH)
        return RDV_OK;
    size_t first = chain_text_number_from(&r->of, phrase);
    while (first < r->of.n_numbers && r->of.numbers[first].digits < NAMED_DIGITS)
        first++;
    const chain_number *n = true_number(r, c, &value, first, phrase + VALUE_REACH);
    int about = n ? is_about(r, c, &r->of.numbers[first], &value) : RDV_NONE;
    return about == RDV_OK ? correct_at(r, c, n) : about == RDV_NONE ? RDV_OK : about;
}

/* The first step in which something is wrong, and may be corrected by another value; n: none. */
static size_t first_wrong(const reader *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < r->steps[i].calcs.n; k++) {
            const rdv_calc *calc = calc_list_see(&r->steps[i].calcs, k);
            if (calc->kind == RDV_CALC_WRONG || is_taken_back(r, calc))
                return i;
        }
    return n;
}

int self_corrected_mark(step_calcs *steps, size_t n, size_t n_thought, const rule_set *rules,
                        rdv_arena *arena)
{
    reader r = {.steps = steps,
                .n_thought = n_thought,
                .rules = rules ? rules : rule_set_built_in(),
                .arena = arena};
    if (!r.rules)
        return RDV_E_NOMEM;
    size_t first = first_wrong(&r, n);
    if (first == n)
        return RDV_OK;
    if (chain_text_read(steps, n, first, arena, &r.of) < 0)
        return RDV_E_NOMEM;
    refuted_mark(&r.of, steps, n_thought < n ? n_thought : n, r.rules);
    int code = read_claims(&r, first);
    for (size_t i = 0; i < r.n_claims && code >= 0; i++) {
        code = correct_by_claim(&r, &r.claims[i]);
        code = code == RDV_NONE ? correct_by_value(&r, &r.claims[i]) : code;
    }
    return code < 0 ? RDV_E_NOMEM : RDV_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The public side of calculations: marks first, then prose, then what to remember for later steps.
 */
#include "decide/calculator.h"

#include "base/str.h"
#include "claims/clock.h"
#include "claims/comparison.h"
#include "claims/congruence.h"
#include "claims/conversion.h"
#include "claims/statement.h"
#include "claims/factorization.h"
#include "claims/verbal.h"
#include "decide/claim.h"
#include "decide/clock_check.h"
#include "decide/comparison_check.h"
#include "decide/conversion_check.h"
#include "decide/denied.h"
#include "decide/derive_consequence.h"
#include "decide/derive_restated.h"
#include "decide/statement_check.h"
#include "decide/function_value.h"
#include "decide/rewriting.h"
#include "decide/roots_check.h"
#include "decide/tokenised.h"
#include "expression/clause.h"
#include "expression/reading_eval.h"
#include "language/assertion.h"
#include "language/rule.h"
#include "notation/braces.h"
#include "notation/decimal_comma.h"
#include "notation/fold.h"
#include "notation/lines.h"
#include "notation/prefilter.h"

#include <stdlib.h>
#include <time.h>

#define STEP_BUDGET ((uint64_t)200 << 20) /* bits of numbers touched for one step */
#define USUAL_MEMORY ((size_t)16 << 10)   /* bytes that a step of two lines needs */
/* Equalities that are in memory at a time; and of these, those that were decided before, as
 * derive_consequence_decide() needs them. */
#define BATCH 256
#define BATCH_BEFORE 2
#define STEP_CALCULATIONS 1000000       /* as evidence in memory, one takes 240 bytes */
#define STEP_MEMORY ((size_t)384 << 20) /* bytes to read the calculations of one step */

static const char *const names[] = {"right",     "rounded",        "wrong",
                                    "undecided", "self_corrected", "unused"};

const char *rdv_calc_name(rdv_calc_kind is)
{
    return names[is];
}

rdv_calculator *rdv_calculator_new(rdv_arena *arena, rdv_str question)
{
    const rule_set *rules = rule_set_built_in();
    rdv_calculator *c = rdv_alloc(arena, sizeof *c);
    if (!c || !rules)
        return NULL;
    c->rules = rules;
    c->n_rounds = c->n_bound = c->n_steps = 0;
    c->arena = arena;
    c->question = question;
    c->letters = (chain_letters){.question = question, .steps = c->steps};
    c->commas = c->thought = c->by_hand = false;
    c->question_hints = (text_hints){0};
    c->moduli.n = c->moduli.n_texts = 0;
    moduli_add(&c->moduli, question);
    c->related = 0;
    c->question_read = false;
    c->equation = c->between = (rdv_str){0};
    c->alone = false;
    c->derived = SIZE_MAX;
    c->step_ns = c->late_at = 0;
    c->scratch = rdv_arena_new_for(USUAL_MEMORY, STEP_MEMORY);
    if (!c->scratch)
        return NULL;
    return c;
}

void rdv_calculator_set_rules(rdv_calculator *calculator, const rdv_rules *rules)
{
    calculator->rules = rules ? rules : rule_set_built_in();
}

void rdv_calculator_set_limit(rdv_calculator *calculator, uint64_t step_ns)
{
    calculator->step_ns = step_ns;
}

uint64_t calculator_thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool calculator_is_late(const rdv_calculator *c)
{
    return c->late_at && calculator_thread_ns() >= c->late_at;
}

void rdv_calculator_set_reasoning(rdv_calculator *calculator, bool thought, bool by_hand)
{
    calculator->thought = thought;
    calculator->by_hand = by_hand;
}

int rdv_calculator_set_decimal(rdv_calculator *calculator, rdv_decimal sign)
{
    calculator->commas = sign == RDV_DECIMAL_COMMA;
    return calculator->commas
               ? decimal_comma_fold(calculator->question, calculator->arena, &calculator->question)
               : RDV_OK;
}

int rdv_calculator_fold(const rdv_calculator *calculator, rdv_str text, rdv_str *out)
{
    *out = text;
    return calculator->commas ? decimal_comma_fold(text, calculator->arena, out) : RDV_OK;
}

void rdv_calculator_free(rdv_calculator **calculator)
{
    rdv_calculator *c = calculator ? *calculator : NULL;
    if (!c)
        return;
    for (size_t i = 0; i < c->n_rounds; i++) {
        fmpq_clear(c->rounds[i].shown);
        fmpq_clear(c->rounds[i].exact);
    }
    for (size_t i = 0; i < c->n_bound; i++)
        fmpq_clear(c->bound[i].value);
    rdv_arena_free(&c->scratch);
    *calculator = NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Remember that the decimal on the right stands for the value on the left. */
static void remember_rounding(rdv_calculator *c, const knowledge *k, const expression *lhs,
                              const expression *rhs)
{
    if (c->n_rounds == CALCULATOR_ROUNDS_MAX)
        return;
    unrounded *u = &c->rounds[c->n_rounds++];
    fmpq_init(u->exact);
    fmpq_init(u->shown);
    if (reading_eval_term_value(k, lhs, u->exact) == EVAL_OK &&
        reading_eval_term_value(k, rhs, u->shown) == EVAL_OK)
        return;
    fmpq_clear(u->exact);
    fmpq_clear(u->shown);
    c->n_rounds--;
}

/* "A = (3 - 5) * 2 = -4" gives A the value -4, unless it had another one before, or gets one later,
 * read or not ("When A = 3/5 volts"): then A means more than one thing and is never put in. */
static int bind_letter(rdv_calculator *c, const knowledge *k, const equality *chain)
{
    const node *name = chain->term[0].root;
    const expression *last = &chain->term[chain->n - 1];
    if (name->is != N_LETTER || last->n_letters)
        return RDV_OK;
    rdv_str text = rdv_slice(k->t->text, k->t->at[name->begin].begin, k->t->at[name->end - 1].end);
    for (size_t i = 0; i < c->n_bound; i++) {
        if (rdv_str_eq(c->bound[i].name, text)) {
            c->bound[i].several = true;
            return RDV_OK;
        }
    }
    bool value = expression_is_plain(last) && chain->clean_left && chain->clean_right;
    if (!value || c->n_bound == CALCULATOR_BOUND_MAX)
        return RDV_OK;
    text = rdv_str_copy(c->arena, text);
    if (!text.p)
        return RDV_E_NOMEM;
    binding *b = &c->bound[c->n_bound++];
    *b = (binding){.name = text};
    fmpq_init(b->value);
    b->several = last->letter_label || /* "6 m" may be 600 elsewhere */
                 reading_eval_term_value(k, last, b->value) != EVAL_OK;
    return RDV_OK;
}

static bool has_letters(const equality *chain)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->term[i].n_letters)
            return true;
    return false;
}

/* Remember the letters of which the question says something, before they are first wanted. */
static int relate_question(rdv_calculator *c)
{
    tokens t;
    equalities found = {0};
    if (c->question_read)
        return RDV_OK;
    c->question_read = true;
    if (rewriting_is_asked_for_values(c->question))
        c->related = RELATED_ALL;
    if (c->related == RELATED_ALL || rdv_find_char(c->question, '=', 0) == RDV_NOT_FOUND)
        return RDV_OK;
    int r = calculator_lex(c, c->question, &t);
    if (r == RDV_OK)
        r = find_equalities(&t, c->scratch, &found);
    for (size_t e = 0; e < found.n && r == RDV_OK; e++)
        c->related |= rewriting_related(&t, &found.at[e], 0);
    c->related |= r == RDV_OK ? rewriting_related_in(c->question) : RELATED_ALL;
    return r == RDV_E_NOMEM ? r : RDV_OK;
}

/* ---- rules of users -------------------------------------------------------------------------- */

/* Note of the results from `first` to `last` that are wrong whether a rule that a user added says
 * of bytes `begin` to `end` of the text that nobody asserts them. */
static void excuse(const tokens *t, size_t begin, size_t end, size_t first, size_t last,
                   calc_list *out)
{
    const rule *by = NULL;
    for (size_t i = first; i < last; i++) {
        rdv_calc *calc = calc_list_at(out, i);
        if (calc->kind != RDV_CALC_WRONG || calc->marked || calc->excused)
            continue;
        by = by ? by : assertion_excused(t->rules, t->text, begin, end);
        if (!by)
            return;
        calc->rule = by->id;
        calc->excused = true;
    }
}

/* What such a rule does, and all that it does, once nothing else can withhold the verdict. */
static void withhold_excused(const rule_set *rules, calc_list *out)
{
    for (size_t i = 0; i < out->n; i++) {
        rdv_calc *calc = calc_list_at(out, i);
        if (calc->excused && calc->kind == RDV_CALC_WRONG) {
            results_withhold(calc, rule_set_find(rules, calc->rule));
        } else if (calc->excused) {
            calc->excused = false;
            calc->rule = (rdv_str){0};
        }
    }
}

static void excuse_chain(const tokens *t, const equality *chain, size_t first, calc_list *out)
{
    excuse(t, t->at[chain->term[0].begin].begin, t->at[chain->term[chain->n - 1].end - 1].end,
           first, out->n, out);
}

/* Each on its own too: "6 = 7, and 3 * 4 = 13 is a slip of his". */
static void excuse_each(const tokens *t, size_t offset, size_t first, calc_list *out)
{
    for (size_t i = first; i < out->n; i++) {
        const rdv_calc *calc = calc_list_see(out, i);
        excuse(t, calc->begin - offset, calc->end - offset, i, i + 1, out);
    }
}

/* ---- one text -------------------------------------------------------------------------------- */

static bool has_wrong(calc_list *out, size_t first)
{
    for (size_t i = first; i < out->n; i++)
        if (calc_list_see(out, i)->kind == RDV_CALC_WRONG)
            return true;
    return false;
}

/* The equalities of a text, while they are decided one after the other. */
typedef struct text_decider {
    rdv_calculator *c;
    const tokens *t;
    size_t offset;
    bool marked;
    calc_list *out;
    text_hints hints;
    knowledge of_text;
    knowledge k; /* with what the steps before say */
    size_t read; /* bytes of the text that were looked at */
} text_decider;

static void begin_deciding(text_decider *d)
{
    d->of_text = calculator_knowledge(d->c, d->t, &d->hints);
    d->k = d->of_text;
    d->k.rounds = d->c->rounds;
    d->k.bindings = d->c->bound;
    d->k.related = &d->c->related;
    d->k.marked = d->marked;
    d->k.wordless = !tok_holds(d->t, TOK_WORD);
}

/* Decide each equality of the chain; a bit of *stated for each that is a calculation and decided
 * (a chain has at most 64 sides). */
static int decide_links(text_decider *d, const equality *chain, uint64_t *stated)
{
    rdv_calculator *c = d->c;
    for (size_t i = 0; i + 1 < chain->n; i++) {
        d->k.n_rounds = c->n_rounds;
        d->k.n_bindings = c->n_bound;
        decision is;
        if (calculator_is_late(c))
            return RDV_E_LIMIT;
        int r = decide_equality(&d->k, chain, i, &is);
        if (is.is_calculation && is.kind != RDV_CALC_UNDECIDED)
            *stated |= (uint64_t)1 << i;
        if (r == RDV_OK && is.is_calculation)
            r = results_add(d->out, c->arena, d->t, d->offset, chain, i, &is, d->marked);
        if (r < 0)
            return r;
        if (d->out->n > STEP_CALCULATIONS)
            return RDV_E_LIMIT;
        if (is.is_calculation && (is.kind == RDV_CALC_ROUNDED || is.rounds))
            remember_rounding(c, &d->k, &chain->term[i], &chain->term[i + 1]);
    }
    return RDV_OK;
}

static int decide_chain(text_decider *d, const equalities *found, size_t e)
{
    rdv_calculator *c = d->c;
    const tokens *t = d->t;
    const equality *chain = &found->at[e];
    bool in_letters = has_letters(chain);
    size_t begin = t->at[chain->term[0].begin].begin;
    if (begin > d->read) { /* those in words come last */
        c->related |= rewriting_related_in(rdv_slice(t->text, d->read, begin));
        d->read = begin;
    }
    size_t first = d->out->n;
    uint64_t stated = 0;
    int r = in_letters ? relate_question(c) : RDV_OK;
    if (r >= 0)
        r = decide_links(d, chain, &stated);
    if (r < 0)
        return r;
    if (c->rules->any_added)
        excuse_chain(t, chain, first, d->out);
    if (in_letters)
        c->related |= rewriting_related(t, chain, stated);
    r = bind_letter(c, &d->of_text, chain);
    if (r >= 0 && !d->marked && !has_wrong(d->out, first)) /* which explains wrong ends */
        r = conversion_check_ends(c, d->out, &d->of_text, d->offset, chain);
    if (r >= 0 && !d->marked)
        r = derive_consequence_decide(c, d->out, &d->of_text, d->offset, found, e);
    return r < 0 ? r : RDV_OK;
}

/* Decide the equalities from the one at index `first` on. */
static int decide_from(text_decider *d, const equalities *found, size_t first)
{
    int r = RDV_OK;
    for (size_t e = first; e < found->n && r == RDV_OK; e++)
        r = decide_chain(d, found, e);
    return r;
}

/* `found` ends with the last equalities of the text. */
static int end_deciding(text_decider *d, const equalities *found)
{
    d->c->related |= rewriting_related_in(rdv_slice(d->t->text, d->read, d->t->text.len));
    return d->marked ? RDV_OK : derive_consequence_keep(d->c, d->t, found);
}

/* The value whose end is that of the folded text before byte `end`, a unit, with the end that the
 * text itself has there: "41 ¥" for "42元" is "41元". p == NULL: out of memory. */
static rdv_str with_own_unit(const folded *f, rdv_str text, size_t end, rdv_str value,
                             rdv_arena *arena)
{
    size_t same = 0;
    while (same < value.len && same < end && !rdv_is_digit(value.p[value.len - same - 1]) &&
           value.p[value.len - same - 1] == f->text.p[end - same - 1])
        same++;
    while (same && ((unsigned char)value.p[value.len - same] & 0xc0) == 0x80)
        same--; /* within a character */
    rdv_str head = rdv_slice(value, 0, value.len - same);
    rdv_str own = rdv_slice(text, fold_origin(f, end - same), fold_origin(f, end));
    return rdv_str_printf(arena, "%.*s%.*s", RDV_FMT(head), RDV_FMT(own));
}

/* The places, sides and values of the results from `first` on, in the text itself instead of the
 * folded. RDV_OK or RDV_E_NOMEM. */
static int unfold(const folded *f, rdv_str text, size_t offset, size_t first, rdv_arena *arena,
                  calc_list *out)
{
    for (size_t i = first; f->origin && i < out->n; i++) {
        rdv_calc *calc = calc_list_at(out, i);
        size_t l = (size_t)(calc->lhs.p - f->text.p), r = (size_t)(calc->rhs.p - f->text.p);
        calc->begin = offset + fold_origin(f, calc->begin - offset);
        calc->end = offset + fold_origin(f, calc->end - offset);
        calc->lhs = rdv_slice(text, fold_origin(f, l), fold_origin(f, l + calc->lhs.len));
        if (calc->value.p) {
            calc->value = with_own_unit(f, text, r + calc->rhs.len, calc->value, arena);
            if (!calc->value.p)
                return RDV_E_NOMEM;
        }
        calc->rhs = rdv_slice(text, fold_origin(f, r), fold_origin(f, r + calc->rhs.len));
    }
    return RDV_OK;
}

/* ---- the readers of claims ------------------------------------------------------------------- */

static int read_congruences(rdv_calculator *c, const tokens *t, equalities *found)
{
    return congruence_find(t, c->scratch, found);
}

static int read_factorizations(rdv_calculator *c, const tokens *t, equalities *found)
{
    return factorization_find(t, c->scratch, found);
}

static int read_words(rdv_calculator *c, const tokens *t, equalities *found)
{
    return verbal_find(t, c->rules, c->scratch, found);
}

/* May a sign or a word of equality but "=" stand in the step? */
static bool equality_may_be_in(rdv_str step)
{
    static const char *const signs[] = {"~", "\\", "\xe2\x89", "qua"}; /* "equal" */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_find(step, rdv_str_of(signs[i]), 0) != RDV_NOT_FOUND)
            return true;
    return clause_may_state_amount(step) || fold_is_needed(step);
}

/* All that reads claims, in the order in which it does. In a step without "=", a claim of a reader
 * may be where `may_be_in` says so; NULL: what the readers before it need is in those too. A reader
 * either finds equalities, which are then decided together with those in signs, or decides what it
 * reads; those that decide stand last. */
static const struct {
    const char *name;
    bool (*may_be_in)(rdv_str step);
    int (*find)(rdv_calculator *c, const tokens *t, equalities *found);
    int (*decide)(rdv_calculator *c, const tokens *t, size_t offset, calc_list *out);
    bool in_marks;  /* it reads calculator marks too: <<3*4=12>> */
    bool as_folded; /* it reads texts that were folded too */
} claim_readers[] = {
    {"equalities", equality_may_be_in, NULL, NULL, true, true}, /* decide_equalities() */
    {"congruences", NULL, read_congruences, NULL, true, true},
    {"factorizations", factorization_may_be_in, read_factorizations, NULL, false, true},
    {"words", verbal_may_be_in, read_words, NULL, false, true},
    {"conversions", conversion_may_be_in, NULL, conversion_check, false, true},
    {"statements", statement_may_be_in, NULL, statement_check, false, true},
    {"times", clock_may_be_in, NULL, clock_check, false, true},
    {"roots", NULL, NULL, roots_check, false, false}, /* an equation has "=" */
    {"comparisons", comparison_may_be_in, NULL, comparison_check, false, true},
    {"values of functions", NULL, NULL, function_value_check, false, true},
    {"what the step before says", derive_restated_may_be_in, NULL, derive_restated_check, false,
     false}};

#define N_READERS (sizeof claim_readers / sizeof *claim_readers)
#define FIRST_DECIDING 4

static bool may_hold_a_calculation(rdv_str step)
{
    bool may = rdv_find_char(step, '=', 0) != RDV_NOT_FOUND;
    if (may || !prefilter_may_hold(step))
        return may;
    for (size_t i = 0; i < N_READERS && !may; i++)
        may = claim_readers[i].may_be_in && claim_readers[i].may_be_in(step);
    return may;
}

/* Append the equalities that are not written in signs. */
static int find_others(rdv_calculator *c, const tokens *t, bool marked, equalities *found)
{
    int r = RDV_OK;
    for (size_t i = 0; i < FIRST_DECIDING && r == RDV_OK; i++)
        if (claim_readers[i].find && (claim_readers[i].in_marks || !marked))
            r = claim_readers[i].find(c, t, found);
    return r;
}

/* Let go of the equalities decided, in memory from `start` on, but for the last ones, which those
 * after them are compared with: these are found again, with the next. */
static int find_next_batch(text_decider *d, equality_search *search, rdv_mark start,
                           equalities *found)
{
    size_t dropped = found->n - BATCH_BEFORE, derived = d->c->derived;
    find_back_to(search, &found->at[dropped]);
    rdv_arena_rewind(d->c->scratch, start);
    *found = (equalities){0};
    d->c->derived = derived != SIZE_MAX && derived >= dropped ? derived - dropped : SIZE_MAX;
    return find_next_equalities(d->t, BATCH, search, d->c->scratch, found);
}

/* In batches, so that the trees of a long step need little memory. Where other equalities stand
 * between those in signs, all are decided together. */
static int decide_equalities(text_decider *d)
{
    rdv_calculator *c = d->c;
    equalities found = {0}, others = {0};
    rdv_mark start = rdv_arena_mark(c->scratch);
    equality_search search = find_first(d->t);
    int r = find_next_equalities(d->t, BATCH, &search, c->scratch, &found);
    if (r == RDV_OK && !equality_search_is_over(&search))
        r = find_others(c, d->t, d->marked, &others);
    if (r == RDV_OK && others.n)
        r = find_next_equalities(d->t, SIZE_MAX, &search, c->scratch, &found);
    if (r == RDV_OK && equality_search_is_over(&search))
        r = find_others(c, d->t, d->marked, &found);
    if (r == RDV_OK)
        r = decide_from(d, &found, 0);
    while (r == RDV_OK && !equality_search_is_over(&search)) {
        r = find_next_batch(d, &search, start, &found);
        if (r == RDV_OK)
            r = decide_from(d, &found, BATCH_BEFORE);
    }
    return r == RDV_OK ? end_deciding(d, &found) : r;
}

static int read_text(rdv_calculator *c, rdv_str text, size_t offset, bool marked, calc_list *out)
{
    tokens t;
    folded f;
    size_t first = out->n;
    int r = fold_text(text, c->scratch, &f);
    if (r == RDV_OK)
        r = calculator_lex(c, f.text, &t);
    if (r == RDV_E_LIMIT) {
        derive_consequence_pass_over(c, (rdv_str){0});
        return RDV_OK;
    }
    t.before = &c->letters;
    text_decider d = {.c = c, .t = &t, .offset = offset, .marked = marked, .out = out};
    if (r == RDV_OK) {
        begin_deciding(&d);
        r = decide_equalities(&d);
    }
    for (size_t i = FIRST_DECIDING; i < N_READERS && r == RDV_OK && !marked; i++)
        if (calculator_is_late(c))
            r = RDV_E_LIMIT;
        else if (claim_readers[i].as_folded || !f.origin)
            r = claim_readers[i].decide(c, &t, offset, out);
    if (r == RDV_OK && !marked)
        denied_withhold(&t, offset, first, out);
    if (r == RDV_OK && c->rules->any_added)
        excuse_each(&t, offset, first, out);
    if (r == RDV_OK)
        r = unfold(&f, text, offset, first, c->arena, out);
    if (r == RDV_OK && !marked)
        tokenised_withhold(text, offset, first, out);
    return r;
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* The first place from byte `i` on where the sign stands twice. */
static size_t find_doubled(rdv_str s, char sign, size_t i)
{
    for (i = rdv_find_char(s, sign, i); i != RDV_NOT_FOUND; i = rdv_find_char(s, sign, i + 1))
        if (i + 1 < s.len && s.p[i + 1] == sign)
            return i;
    return RDV_NOT_FOUND;
}

static bool next_mark(rdv_str step, size_t from, size_t *begin, size_t *end)
{
    size_t open = find_doubled(step, '<', from);
    size_t close = open == RDV_NOT_FOUND ? open : find_doubled(step, '>', open + 2);
    if (close == RDV_NOT_FOUND)
        return false;
    *begin = open;
    *end = close + 2;
    return true;
}

static int read_marks(rdv_calculator *c, rdv_str step, char *prose, calc_list *out)
{
    size_t begin, end = 0;
    while (next_mark(step, end, &begin, &end)) {
        memset(prose + begin, ' ', end - begin);
        if (begin && prose[begin - 1] == '$' && end < step.len && rdv_is_digit(prose[end])) {
            prose[begin - 1] = ' '; /* "$<<2*90=180>>180": the sign is that of the number */
            prose[end - 1] = '$';
        }
        int r = read_text(c, rdv_slice(step, begin + 2, end - 2), begin + 2, true, out);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

static void withhold(rdv_calc *calc, const char *why)
{
    if (calc->kind != RDV_CALC_WRONG)
        return;
    calc->kind = RDV_CALC_UNDECIDED;
    calc->note = rdv_str_of(why);
}

/* "20 pens on day 1 * 2 = <<20*2=40>>40": a right mark before the result says what is calculated,
 * of which the words around it may hold a part. */
static void withhold_beside_marks(calc_list *found)
{
    size_t marks = 0, k = 0; /* the marks are found first, and in order */
    while (marks < found->n && calc_list_see(found, marks)->marked)
        marks++;
    for (size_t i = marks; i < found->n; i++) {
        size_t begin = calc_list_see(found, i)->begin;
        while (k > 0 && calc_list_see(found, k - 1)->begin > begin)
            k--;
        while (k < marks && calc_list_see(found, k)->begin <= begin)
            k++;
        if (k == marks)
            continue;
        const rdv_calc *mark = calc_list_see(found, k), *calc = calc_list_see(found, i);
        if (mark->kind <= RDV_CALC_ROUNDED && mark->end <= calc->end - calc->rhs.len &&
            rdv_str_eq(mark->rhs, calc->rhs))
            withhold(calc_list_at(found, i), "the mark beside it says what is calculated");
    }
}

/* Does the step before end in a sign of an operation, so that its formula goes on in this one? */
static bool goes_on_from_step_before(const rdv_calculator *c)
{
    static const char *const signs[] = {"cdot", "times", "div"};
    if (c->n_steps == 0 || c->n_steps > CALCULATOR_STEPS_MAX)
        return false;
    rdv_str before = rdv_trim_end(c->steps[c->n_steps - 1]);
    size_t name = before.len;
    while (name > 0 && rdv_is_alpha(before.p[name - 1]))
        name--;
    if (name == before.len)
        return name > 0 && before.p[name - 1] == '+';
    return name > 0 && before.p[name - 1] == '\\' &&
           rdv_named(rdv_slice(before, name, before.len), signs, sizeof signs / sizeof *signs) >= 0;
}

/* A line about the folded step, or a part of it, as the step itself writes numbers. `prose` is the
 * folded step with its lines; `like` is the calculation. */
static int unfold_text(const rdv_calculator *c, rdv_str step, rdv_str plain, rdv_str prose,
                       rdv_str like, rdv_str *text)
{
    rdv_str in = rdv_lies_in(*text, prose) ? prose : plain;
    if (!text->p)
        return RDV_OK;
    if (rdv_lies_in(*text, in)) {
        size_t begin = (size_t)(text->p - in.p);
        *text = rdv_slice(step, begin, decimal_comma_end(step, plain, begin + text->len));
    } else {
        *text = decimal_comma_unfold(*text, like, c->arena);
    }
    return text->p ? RDV_OK : RDV_E_NOMEM;
}

static int unfold_decimals(const rdv_calculator *c, rdv_str step, rdv_str plain, rdv_str prose,
                           calc_list *out)
{
    for (size_t i = 0; i < out->n; i++) {
        rdv_calc *calc = calc_list_at(out, i);
        rdv_str *const texts[] = {&calc->lhs, &calc->rhs, &calc->value, &calc->claim, &calc->note};
        calc->end = decimal_comma_end(step, plain, calc->end);
        rdv_str like = rdv_slice(step, calc->begin, calc->end);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (unfold_text(c, step, plain, prose, like, texts[k]) < 0)
                return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* `original`: the step before decimal commas were folded. */
static int read_step(rdv_calculator *c, rdv_str original, rdv_str step, calc_list *out)
{
    rdv_str prose;
    int r = lines_restore(step, c->arena, &prose); /* results point into it */
    if (r == RDV_OK && find_doubled(step, '<', 0) != RDV_NOT_FOUND) {
        char *copy = rdv_cstring(c->arena, prose);
        if (!copy)
            return RDV_E_NOMEM;
        r = read_marks(c, step, copy, out);
        prose.p = copy;
    }
    if (r == RDV_OK)
        r = read_text(c, prose, 0, false, out);
    if (r == RDV_OK && prose.p != step.p)
        withhold_beside_marks(out);
    if (r == RDV_OK && out->n && goes_on_from_step_before(c))
        withhold(calc_list_at(out, 0), "it may go on from the step before");
    if (r == RDV_OK && c->rules->any_added)
        withhold_excused(c->rules, out);
    if (r == RDV_OK && c->commas)
        r = unfold_decimals(c, original, step, prose, out);
    return r;
}

/* "25 / 4 = 6" of "25 / 4 = 6 remainder 1", which a row reads whole and decides: they begin at one
 * place. */
static bool is_part(calc_list *found, size_t i)
{
    const rdv_calc *is = calc_list_see(found, i);
    size_t k = i, begin = is->begin, end = is->end;
    if (is->kind != RDV_CALC_UNDECIDED || is->excused)
        return false;
    while (k > 0 && calc_list_see(found, k - 1)->begin == begin)
        k--;
    for (; k < found->n && (is = calc_list_see(found, k))->begin == begin; k++)
        if (is->read_by.p && (is->kind != RDV_CALC_UNDECIDED || is->excused) && is->end > end)
            return true;
    return false;
}

static void drop_parts(calc_list *found)
{
    size_t kept = 0;
    for (size_t i = 0; i < found->n; i++)
        if (!is_part(found, i) && kept++ < i)
            *calc_list_at(found, kept - 1) = *calc_list_see(found, i);
    calc_list_cut(found, kept);
}

/* The places of the calculations, with the brackets that they lack. */
static void close_braces(rdv_str step, calc_list *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const rdv_calc *calc = calc_list_see(found, i);
        size_t begin = calc->begin, end = calc->end;
        braces_close(step, &begin, &end);
        if (begin == calc->begin && end == calc->end)
            continue;
        rdv_calc *closed = calc_list_at(found, i);
        closed->begin = begin;
        closed->end = end;
    }
}

int calculator_step(rdv_calculator *calculator, rdv_str step, calc_list *out, rdv_error *err)
{
    calc_list found = {0};
    rdv_str original = step;
    int r = rdv_calculator_fold(calculator, step, &step);
    bool full = false;
    calculator->budget = STEP_BUDGET;
    calculator->late_at = calculator->step_ns ? calculator_thread_ns() + calculator->step_ns : 0;
    if (r == RDV_OK)
        moduli_add(&calculator->moduli, step);
    if (r == RDV_OK && may_hold_a_calculation(step)) {
        r = read_step(calculator, original, step, &found);
        full = r < 0 && rdv_arena_is_full(calculator->scratch);
        rdv_arena_reset(calculator->scratch);
    } else if (r == RDV_OK) {
        derive_consequence_pass_over(calculator, step);
    }
    if (calculator->n_steps < CALCULATOR_STEPS_MAX)
        calculator->steps[calculator->letters.n_steps++] = step;
    calculator->n_steps++;
    if (full)
        return rdv_fail(err, RDV_E_LIMIT,
                        "the calculations of a step of %zu bytes need more than %zu MiB to be "
                        "read, which is the limit; split the step",
                        step.len, STEP_MEMORY >> 20);
    if (r == RDV_E_LIMIT && found.n > STEP_CALCULATIONS)
        return rdv_fail(err, r,
                        "a step of %zu bytes has more than %d calculations, which is the limit; "
                        "split the step",
                        step.len, STEP_CALCULATIONS);
    if (r == RDV_E_LIMIT)
        return rdv_fail(err, r, "the calculations of a step of %zu bytes took longer than %.0f ms",
                        step.len, (double)calculator->step_ns / 1e6);
    if (r == RDV_OK)
        r = calc_list_sort(&found, calculator->arena);
    if (r == RDV_OK) {
        drop_parts(&found);
        close_braces(original, &found);
        r = calc_list_keep(&found);
    }
    if (r < 0)
        return rdv_fail(err, r, "out of memory while reading calculations");
    *out = found;
    return RDV_OK;
}

int rdv_calculator_step(rdv_calculator *calculator, rdv_str step, rdv_calc **out, size_t *n,
                        rdv_error *err)
{
    calc_list found;
    int r = calculator_step(calculator, step, &found, err);
    rdv_calc *all = r == RDV_OK && found.n ? calc_list_array(&found, calculator->arena) : NULL;
    if (r == RDV_OK && found.n && !all)
        return rdv_no_memory(err);
    if (r == RDV_OK) {
        *out = all;
        *n = found.n;
    }
    return r;
}

/* ---- without remembering --------------------------------------------------------------------- */

static void forget(rdv_calculator *c, size_t n_rounds, size_t n_bound)
{
    for (; c->n_rounds > n_rounds; c->n_rounds--) {
        fmpq_clear(c->rounds[c->n_rounds - 1].shown);
        fmpq_clear(c->rounds[c->n_rounds - 1].exact);
    }
    for (; c->n_bound > n_bound; c->n_bound--)
        fmpq_clear(c->bound[c->n_bound - 1].value);
}

int rdv_calculator_try(rdv_calculator *calculator, rdv_str text, rdv_calc **out, size_t *n,
                       rdv_error *err)
{
    rdv_calculator *c = calculator;
    size_t n_rounds = c->n_rounds, n_bound = c->n_bound;
    rdv_str equation = c->equation, between = c->between;
    bool alone = c->alone;
    size_t n_steps = c->n_steps;
    chain_letters seen = c->letters;
    moduli named = c->moduli;
    related_letters related = c->related;
    bool several[CALCULATOR_BOUND_MAX];
    for (size_t i = 0; i < n_bound; i++)
        several[i] = c->bound[i].several;
    int r = rdv_calculator_step(c, text, out, n, err);
    forget(c, n_rounds, n_bound);
    c->equation = equation;
    c->alone = alone;
    c->between = between;
    c->n_steps = n_steps;
    c->letters = seen;
    c->moduli = named;
    c->related = related;
    c->question_read = false; /* it may have been read for this text */
    for (size_t i = 0; i < n_bound; i++)
        c->bound[i].several = several[i];
    return r;
}

rdv_arena *rdv_calculator_arena(const rdv_calculator *calculator)
{
    return calculator->arena;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The public side of calculations: marks first, then prose, then what to remember for later steps.
 */
#include "base/arena.h"
#include "base/str.h"
#include "math/claim.h"
#include "math/claimed.h"
#include "math/compare.h"
#include "math/congruence.h"
#include "math/conversion.h"
#include "math/decide.h"
#include "math/derived.h"
#include "math/fold.h"
#include "math/phrase.h"
#include "math/print.h"
#include "math/solved.h"
#include "math/spoken.h"

#include <stdlib.h>

#define STEP_BUDGET ((uint64_t)200 << 20) /* bits of numbers touched for one step */
#define STEP_MEMORY ((size_t)512 << 20)   /* bytes to read the calculations of one step */
#define MAX_ROUNDS 64
#define MAX_BOUND 64
#define MAX_STEPS 64 /* that are looked at for where a number comes from */

struct rdv_calculator {
    rdv_arena *arena;   /* results */
    rdv_arena *scratch; /* tokens and trees of one step */
    rdv_str question;
    text_hints question_hints;
    unrounded rounds[MAX_ROUNDS];
    size_t n_rounds;
    binding bound[MAX_BOUND];
    size_t n_bound;
    rdv_str steps[MAX_STEPS]; /* before this one */
    size_t n_steps;           /* of the chain; the first MAX_STEPS are kept */
    rdv_str equation; /* in letters, at the end of a step before; p == NULL: there is none */
    rdv_str between;  /* the step after it, which only says what is done to it; or p == NULL */
    uint64_t budget;
};

static const char *const names[] = {"right", "rounded", "wrong", "undecided"};

const char *rdv_calc_name(rdv_calc_kind is)
{
    return names[is];
}

rdv_calculator *rdv_calculator_new(rdv_arena *arena, rdv_str question)
{
    rdv_calculator *c = rdv_alloc(arena, sizeof *c);
    if (!c)
        return NULL;
    c->n_rounds = c->n_bound = c->n_steps = 0;
    c->arena = arena;
    c->question = question;
    c->question_hints = (text_hints){0};
    c->equation = c->between = (rdv_str){0};
    c->scratch = rdv_arena_new(STEP_MEMORY);
    if (!c->scratch)
        return NULL;
    return c;
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

typedef struct results {
    rdv_calc *at;
    size_t n, cap;
} results;

/* ---- memory ---------------------------------------------------------------------------------- */

/* Remember that the decimal on the right stands for the value on the left. */
static void remember_rounding(rdv_calculator *c, const knowledge *k, const expression *lhs,
                              const expression *rhs)
{
    if (c->n_rounds == MAX_ROUNDS)
        return;
    unrounded *u = &c->rounds[c->n_rounds++];
    fmpq_init(u->exact);
    fmpq_init(u->shown);
    if (decide_term_value(k, lhs, u->exact) == EVAL_OK &&
        decide_term_value(k, rhs, u->shown) == EVAL_OK)
        return;
    fmpq_clear(u->exact);
    fmpq_clear(u->shown);
    c->n_rounds--;
}

/* "A = (3 - 5) * 2 = -4" gives A the value -4, unless it had another one before: then A means more
 * than one thing and is never put in. */
static int bind_letter(rdv_calculator *c, const knowledge *k, const equality *chain)
{
    const node *name = chain->term[0].root;
    const expression *last = &chain->term[chain->n - 1];
    if (name->is != N_LETTER || last->n_letters || !expression_is_plain(last) ||
        !chain->clean_left || !chain->clean_right)
        return RDV_OK;
    rdv_str text = rdv_slice(k->t->text, k->t->at[name->begin].begin, k->t->at[name->end - 1].end);
    for (size_t i = 0; i < c->n_bound; i++) {
        if (rdv_str_eq(c->bound[i].name, text)) {
            c->bound[i].several = true;
            return RDV_OK;
        }
    }
    if (c->n_bound == MAX_BOUND)
        return RDV_OK;
    text = rdv_str_copy(c->arena, text);
    if (!text.p)
        return RDV_E_NOMEM;
    binding *b = &c->bound[c->n_bound++];
    *b = (binding){.name = text};
    fmpq_init(b->value);
    b->several = decide_term_value(k, last, b->value) != EVAL_OK;
    return RDV_OK;
}

/* ---- one text -------------------------------------------------------------------------------- */

static int add(rdv_calculator *c, results *out, const tokens *t, size_t offset,
               const equality *chain, size_t i, const decision *d, bool marked)
{
    const expression *lhs = &chain->term[i], *rhs = &chain->term[i + 1];
    if (!RDV_PUSH_ROOM(c->arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    size_t b = t->at[lhs->begin].begin, m = t->at[lhs->end - 1].end;
    size_t r = t->at[rhs->begin].begin, e = t->at[rhs->end - 1].end;
    out->at[out->n++] = (rdv_calc){.begin = offset + b,
                                   .end = offset + e,
                                   .lhs = rdv_slice(t->text, b, m),
                                   .rhs = rdv_slice(t->text, r, e),
                                   .kind = d->kind,
                                   .value = d->value,
                                   .claim = d->claim,
                                   .note = d->note,
                                   .marked = marked};
    return RDV_OK;
}

static bool has_words(const tokens *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->at[i].kind == TOK_WORD)
            return true;
    return false;
}

/* What is decided of the chain's ends, as one equality; its left side is `lhs`. */
static int add_ends(rdv_calculator *c, results *out, const tokens *t, size_t offset,
                    const equality *chain, rdv_str lhs, const decision *d)
{
    expression sides[2] = {chain->term[0], chain->term[chain->n - 1]};
    equality ends = {.term = sides, .n = 2};
    int r = add(c, out, t, offset, &ends, 0, d, false);
    if (r == RDV_OK && lhs.p)
        out->at[out->n - 1].lhs = lhs;
    return r;
}

/* What the text concludes from the equation before: "2x = 14, so x = 8". */
static int add_conclusion(rdv_calculator *c, results *out, const knowledge *k, size_t offset,
                          const equality *given, const equality *next)
{
    int which = 0;
    decision d;
    int r = solved_decide(k, given, next, &which, &d);
    if (r != RDV_OK)
        return r;
    r = add_ends(c, out, k->t, offset, which ? next : given, (rdv_str){0}, &d);
    if (r == RDV_OK)
        out->at[out->n - 1].end = offset + k->t->at[next->term[next->n - 1].end - 1].end;
    return r;
}

static rdv_str text_of(const tokens *t, const equality *e)
{
    return rdv_slice(t->text, t->at[e->term[0].begin].begin, t->at[e->term[e->n - 1].end - 1].end);
}

/* What is derived from the equation before by the words after byte `from`. */
static int add_derivation(rdv_calculator *c, results *out, const knowledge *k, size_t offset,
                          const derivation_side *given, size_t from, const equality *next)
{
    decision d;
    rdv_str lhs;
    size_t begin = k->t->at[next->term[0].begin].begin;
    rdv_str words = rdv_slice(k->t->text, from, begin);
    if (!(next->term[0].n_letters + next->term[next->n - 1].n_letters) ||
        !derived_words_are_known(words))
        return RDV_NONE;
    int r = derived_decide(k, given, words, next, &lhs, &d);
    return r == RDV_OK ? add_ends(c, out, k->t, offset, next, lhs, &d) : r;
}

/* The same where the equation before is the last one of the step before. */
static int add_derivation_from_last(rdv_calculator *c, results *out, const knowledge *k,
                                    size_t offset, const equality *next)
{
    tokens t;
    equalities found = {0};
    size_t begin = k->t->at[next->term[0].begin].begin;
    if (!c->equation.p || !derived_words_are_known(rdv_slice(k->t->text, 0, begin)))
        return RDV_NONE;
    int r = lex(c->equation, c->scratch, &t);
    if (r == RDV_OK)
        r = find_equalities(&t, c->scratch, &found);
    if (r != RDV_OK || found.n != 1 || text_of(&t, &found.at[0]).len != c->equation.len)
        return r == RDV_E_NOMEM ? r : RDV_NONE;
    derivation_side given = {&t, &found.at[0], true, c->between};
    return add_derivation(c, out, k, offset, &given, 0, next);
}

static bool holds_words(rdv_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (rdv_is_alpha(text.p[i]))
            return true;
    return false;
}

/* Is it one of several equations without a word between them? */
static bool is_listed(const tokens *t, const equalities *found, size_t e)
{
    if (e == 0)
        return false;
    const equality *before = &found->at[e - 1];
    size_t begin = t->at[before->term[before->n - 1].end - 1].end;
    return !holds_words(rdv_slice(t->text, begin, t->at[found->at[e].term[0].begin].begin));
}

/* What the equality at index `e` says about the one before it. */
static int add_consequence(rdv_calculator *c, results *out, const knowledge *k, size_t offset,
                           const equalities *found, size_t e)
{
    const equality *next = &found->at[e];
    if (e == 0)
        return add_derivation_from_last(c, out, k, offset, next);
    derivation_side given = {k->t, next - 1, false, {0}};
    size_t end = k->t->at[given.e->term[given.e->n - 1].end - 1].end;
    int r = add_conclusion(c, out, k, offset, given.e, next);
    return r == RDV_NONE && !is_listed(k->t, found, e - 1)
               ? add_derivation(c, out, k, offset, &given, end, next)
               : r;
}

/* "substitute P with 4P - 8 in the equation": what is derived is not what follows. */
static bool is_put_into(rdv_str before)
{
    static const char *const places[] = {"in", "into", "equation"};
    static const char *const verbs[] = {"substitut*", "plug*", "put", "insert*", "replac*"};
    size_t end = phrase_last_end(before, places, 3);
    return end && !holds_words(rdv_slice(before, end, before.len)) && phrase_in(before, verbs, 5);
}

/* A step without an equality: the equation before it is kept where the step says what is done. */
static void pass_over(rdv_calculator *c, rdv_str step)
{
    bool goes_on = c->equation.p && !c->between.p && derived_goes_on_after(step);
    c->between = goes_on ? rdv_str_copy(c->arena, step) : (rdv_str){0};
    if (!c->between.p)
        c->equation = (rdv_str){0};
}

/* Keep the equation in letters that ends the text, for the next step. */
static int keep_equation(rdv_calculator *c, const tokens *t, const equalities *found)
{
    if (found->n == 0) {
        pass_over(c, t->text);
        return RDV_OK;
    }
    c->equation = c->between = (rdv_str){0};
    const equality *last = &found->at[found->n - 1];
    if (!last->clean_left || !last->clean_right ||
        !(last->term[0].n_letters + last->term[last->n - 1].n_letters) ||
        solved_is_alternative(t, last->term[0].begin, last->term[last->n - 1].end) ||
        is_listed(t, found, found->n - 1))
        return RDV_OK;
    rdv_str text = text_of(t, last);
    if (is_put_into(rdv_slice(t->text, 0, (size_t)(text.p - t->text.p))) ||
        holds_words(rdv_slice(t->text, (size_t)(text.p - t->text.p) + text.len, t->text.len)))
        return RDV_OK;
    c->equation = rdv_str_copy(c->arena, text);
    return c->equation.p ? RDV_OK : RDV_E_NOMEM;
}

/* "5 minutes = 5/50 = 1/10 hours": a conversion that is worked out between its ends. */
static int add_conversion(rdv_calculator *c, results *out, const knowledge *k, size_t offset,
                          const equality *chain)
{
    expression ends[2] = {chain->term[0], chain->term[chain->n - 1]};
    bool approximate[2] = {false, false};
    decision d;
    for (size_t i = 1; i < chain->n; i++)
        approximate[1] |= chain->approximate[i];
    for (size_t i = 1; i + 1 < chain->n; i++)
        if (chain->term[i].n_units || chain->term[i].n_words || chain->term[i].n_letters)
            return RDV_OK;
    if (chain->n < 3 || !expression_is_plain(&ends[0]) || ends[0].n_units != 1 ||
        ends[1].n_units != 1)
        return RDV_OK;
    equality whole = {.term = ends,
                      .approximate = approximate,
                      .n = 2,
                      .clean_left = chain->clean_left,
                      .clean_right = chain->clean_right,
                      .after_word = chain->after_word};
    int r = decide_equality(k, &whole, 0, &d);
    bool wrong = r == RDV_OK && d.is_calculation && d.kind == RDV_CALC_WRONG;
    return wrong ? add(c, out, k->t, offset, &whole, 0, &d, false) : r;
}

static int decide_all(rdv_calculator *c, const tokens *t, size_t offset, const equalities *found,
                      bool marked, results *out)
{
    bool wordless = found->n && !has_words(t);
    text_hints hints = {0};
    for (size_t e = 0; e < found->n; e++) {
        const equality *chain = &found->at[e];
        for (size_t i = 0; i + 1 < chain->n; i++) {
            knowledge k = {.t = t,
                           .arena = c->arena,
                           .budget = &c->budget,
                           .rounds = c->rounds,
                           .n_rounds = c->n_rounds,
                           .bindings = c->bound,
                           .n_bindings = c->n_bound,
                           .question = c->question,
                           .hints = &hints,
                           .question_hints = &c->question_hints,
                           .marked = marked,
                           .wordless = wordless};
            decision d;
            int r = decide_equality(&k, chain, i, &d);
            if (r == RDV_OK && d.is_calculation)
                r = add(c, out, t, offset, chain, i, &d, marked);
            if (r < 0)
                return r;
            if (d.is_calculation && d.kind == RDV_CALC_ROUNDED)
                remember_rounding(c, &k, &chain->term[i], &chain->term[i + 1]);
        }
        knowledge k = {.t = t,
                       .arena = c->arena,
                       .budget = &c->budget,
                       .question = c->question,
                       .hints = &hints,
                       .question_hints = &c->question_hints};
        int r = bind_letter(c, &k, chain);
        if (r >= 0 && !marked)
            r = add_conversion(c, out, &k, offset, chain);
        if (r >= 0 && !marked)
            r = add_consequence(c, out, &k, offset, found, e);
        if (r < 0)
            return r;
    }
    return marked ? RDV_OK : keep_equation(c, t, found);
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Does the number stand in the text, as a number of its own? */
static bool holds_number(rdv_str text, rdv_str number)
{
    for (size_t i = 0; (i = rdv_find(text, number, i)) != RDV_NOT_FOUND; i++) {
        size_t end = i + number.len;
        bool begins = i == 0 || !(rdv_is_digit(text.p[i - 1]) || text.p[i - 1] == '.');
        bool goes_on = end < text.len &&
                       (rdv_is_digit(text.p[end]) || (text.p[end] == '.' && end + 1 < text.len &&
                                                      rdv_is_digit(text.p[end + 1])));
        if (begins && !goes_on)
            return true;
    }
    return false;
}

/* Was the number given or found before, or is the question not known? Then so many minutes per hour
 * may be a rate. */
static bool is_known_number(const rdv_calculator *c, rdv_str before, rdv_str number)
{
    bool known = !c->question.len || c->n_steps > MAX_STEPS || holds_number(c->question, number) ||
                 holds_number(before, number);
    for (size_t i = 0; i < c->n_steps && i < MAX_STEPS && !known; i++)
        known = holds_number(c->steps[i], number);
    return known;
}

/* How near the number stated is to how many it is; that with its unit into *value. */
static int compare_conversion(rdv_calculator *c, const tokens *t, const conversion *found,
                              closeness *is, rdv_str *value)
{
    fmpq_t ratio, said, most;
    long decimals;
    fmpq_init(ratio);
    fmpq_init(said);
    fmpq_init(most);
    conversion_ratio(t, found, ratio);
    *value = print_value(ratio, c->arena);
    if (value->p)
        *value = rdv_str_printf(c->arena, "%.*s %.*s", RDV_FMT(*value),
                                RDV_FMT(tok_text(t, found->number + 1)));
    *is = CLOSE_ROUGH;
    if (literal_value(t, found->number, said, &decimals) == EVAL_OK) {
        bool whole = fmpz_is_one(fmpq_denref(ratio)); /* else it is rounded, as 1.6 km a mile */
        fmpq_set_ui(most, whole ? 0 : 1, 20);
        fmpq_mul(most, most, ratio);
        fmpq_sub(said, said, ratio);
        fmpq_abs(said, said);
        *is = fmpq_is_zero(said) ? CLOSE_EQUAL : fmpq_cmp(said, most) > 0 ? CLOSE_NOT : CLOSE_ROUGH;
    }
    fmpq_clear(ratio);
    fmpq_clear(said);
    fmpq_clear(most);
    return value->p ? RDV_OK : RDV_E_NOMEM;
}

/* What a unit is of another, as stated or used at `found`. */
static int decide_conversion(rdv_calculator *c, const tokens *t, size_t offset,
                             const conversion *found, results *out)
{
    rdv_str number = tok_text(t, found->number);
    size_t begin = t->at[found->begin].begin, end = t->at[found->end - 1].end;
    closeness is;
    rdv_str value;
    int r = compare_conversion(c, t, found, &is, &value);
    bool known = found->factor ? is_known_number(c, rdv_slice(t->text, 0, begin), number)
                               : holds_number(c->question, number);
    bool right = is == CLOSE_EQUAL && !found->factor;
    bool wrong = is == CLOSE_NOT && !known && !claimed_not(t->text, begin, end);
    if (r < 0 || (!right && !wrong))
        return r;
    if (!RDV_PUSH_ROOM(c->arena, out->at, out->n, out->cap))
        return RDV_E_NOMEM;
    rdv_str shown = rdv_slice(t->text, t->at[found->number].begin, t->at[found->number + 1].end);
    out->at[out->n++] = (rdv_calc){.begin = offset + begin,
                                   .end = offset + end,
                                   .lhs = tok_text(t, found->large),
                                   .rhs = shown,
                                   .kind = right ? RDV_CALC_RIGHT : RDV_CALC_WRONG,
                                   .value = wrong ? value : (rdv_str){0},
                                   .claim = wrong ? shown : (rdv_str){0},
                                   .note = RDV_STR("how many of one unit make another")};
    return RDV_OK;
}

static int decide_conversions(rdv_calculator *c, const tokens *t, size_t offset, results *out)
{
    conversion found;
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && conversion_find(t, i, &found); i = found.end)
        r = decide_conversion(c, t, offset, &found, out);
    return r;
}

/* The places and sides of the results from `first` on, in the text itself instead of the folded. */
static void unfold(const folded *f, rdv_str text, size_t offset, size_t first, results *out)
{
    for (size_t i = first; f->origin && i < out->n; i++) {
        rdv_calc *calc = &out->at[i];
        size_t l = (size_t)(calc->lhs.p - f->text.p), r = (size_t)(calc->rhs.p - f->text.p);
        calc->begin = offset + fold_origin(f, calc->begin - offset);
        calc->end = offset + fold_origin(f, calc->end - offset);
        calc->lhs = rdv_slice(text, fold_origin(f, l), fold_origin(f, l + calc->lhs.len));
        calc->rhs = rdv_slice(text, fold_origin(f, r), fold_origin(f, r + calc->rhs.len));
    }
}

static int read_text(rdv_calculator *c, rdv_str text, size_t offset, bool marked, results *out)
{
    tokens t;
    folded f;
    equalities found = {0};
    size_t first = out->n;
    int r = fold_text(text, c->scratch, &f);
    if (r == RDV_OK)
        r = lex(f.text, c->scratch, &t);
    if (r == RDV_E_LIMIT) {
        pass_over(c, (rdv_str){0});
        return RDV_OK;
    }
    if (r == RDV_OK)
        r = find_equalities(&t, c->scratch, &found);
    if (r == RDV_OK)
        r = congruence_find(&t, c->scratch, &found);
    if (r == RDV_OK && !marked)
        r = spoken_find(&t, c->scratch, &found);
    if (r == RDV_OK)
        r = decide_all(c, &t, offset, &found, marked, out);
    if (r == RDV_OK && !marked)
        r = decide_conversions(c, &t, offset, out);
    if (r == RDV_OK)
        unfold(&f, text, offset, first, out);
    return r;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static bool next_mark(rdv_str step, size_t from, size_t *begin, size_t *end)
{
    size_t open = rdv_find(step, RDV_STR("<<"), from);
    size_t close = open == RDV_NOT_FOUND ? open : rdv_find(step, RDV_STR(">>"), open + 2);
    if (close == RDV_NOT_FOUND)
        return false;
    *begin = open;
    *end = close + 2;
    return true;
}

static int read_marks(rdv_calculator *c, rdv_str step, char *prose, results *out)
{
    size_t begin, end = 0;
    while (next_mark(step, end, &begin, &end)) {
        memset(prose + begin, ' ', end - begin);
        int r = read_text(c, rdv_slice(step, begin + 2, end - 2), begin + 2, true, out);
        if (r < 0)
            return r;
    }
    return RDV_OK;
}

static bool may_hold_a_calculation(rdv_str step)
{
    static const char signs[][4] = {"=", "\xe2\x89", "~", "\\", "qua"}; /* = and its kin, "equal" */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rdv_find_char(step, signs[i][0], 0) != RDV_NOT_FOUND &&
            rdv_find(step, rdv_str_of(signs[i]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

static int by_place(const void *a, const void *b)
{
    const rdv_calc *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

static int read_step(rdv_calculator *c, rdv_str step, results *out)
{
    rdv_str prose = step;
    int r = RDV_OK;
    if (rdv_find(step, RDV_STR("<<"), 0) != RDV_NOT_FOUND) {
        char *copy = rdv_cstring(c->arena, step); /* results point into it */
        if (!copy)
            return RDV_E_NOMEM;
        r = read_marks(c, step, copy, out);
        prose.p = copy;
    }
    if (r == RDV_OK)
        r = read_text(c, prose, 0, false, out);
    return r;
}

int rdv_calculator_step(rdv_calculator *calculator, rdv_str step, rdv_calc **out, size_t *n,
                        rdv_error *err)
{
    results found = {0};
    int r = RDV_OK;
    bool full = false;
    calculator->budget = STEP_BUDGET;
    if (may_hold_a_calculation(step) || conversion_may_be_in(step) || spoken_may_be_in(step) ||
        fold_is_needed(step)) {
        r = read_step(calculator, step, &found);
        full = r < 0 && rdv_arena_is_full(calculator->scratch);
        rdv_arena_reset(calculator->scratch);
    } else {
        pass_over(calculator, step);
    }
    if (calculator->n_steps < MAX_STEPS)
        calculator->steps[calculator->n_steps] = step;
    calculator->n_steps++;
    if (full)
        return rdv_fail(err, RDV_E_LIMIT,
                        "the calculations of a step of %zu bytes need more than %zu MiB to be "
                        "read, which is the limit; split the step",
                        step.len, STEP_MEMORY >> 20);
    if (r < 0)
        return rdv_fail(err, r, "out of memory while reading calculations");
    if (found.n > 1)
        qsort(found.at, found.n, sizeof *found.at, by_place);
    *out = found.at;
    *n = found.n;
    return RDV_OK;
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
    size_t n_steps = c->n_steps;
    bool several[MAX_BOUND];
    for (size_t i = 0; i < n_bound; i++)
        several[i] = c->bound[i].several;
    int r = rdv_calculator_step(c, text, out, n, err);
    forget(c, n_rounds, n_bound);
    c->equation = equation;
    c->between = between;
    c->n_steps = n_steps;
    for (size_t i = 0; i < n_bound; i++)
        c->bound[i].several = several[i];
    return r;
}

rdv_arena *rdv_calculator_arena(const rdv_calculator *calculator)
{
    return calculator->arena;
}

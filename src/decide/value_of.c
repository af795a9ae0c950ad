/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/value_of.h"

#include "base/arena.h"
#include "base/str.h"
#include "expression/print.h"
#include "expression/reading.h"
#include "expression/reading_eval.h"
#include "notation/fold.h"

#include <rederive/math.h>

#define BUDGET ((uint64_t)20 << 20) /* bits of numbers touched */
#define ANY_CLAIM "987654321.25"    /* a result that shows what is right when it is wrong */

/* ---- with a result --------------------------------------------------------------------------- */

/* The calculation "TEXT = RESULT" alone. RDV_NONE: it is not read as one from its beginning, or
 * from behind a "$", to its end. */
static int decide(rdv_str text, rdv_str result, rdv_arena *arena, rdv_calc *out, rdv_error *err)
{
    rdv_str step = rdv_str_printf(arena, "%.*s = %.*s", RDV_FMT(text), RDV_FMT(result));
    rdv_calculator *calculator = step.p ? rdv_calculator_new(arena, (rdv_str){0}) : NULL;
    rdv_calc *calcs;
    size_t n;
    if (!calculator)
        return rdv_no_memory(err);
    int code = rdv_calculator_step(calculator, step, &calcs, &n, err);
    rdv_calculator_free(&calculator);
    if (code != RDV_OK)
        return code == RDV_E_LIMIT ? RDV_NONE : code;
    size_t begin = step.p[0] == '$';
    if (n != 1 || calcs[0].end != step.len || calcs[0].begin > begin ||
        rdv_trim(calcs[0].lhs).len + calcs[0].begin != text.len)
        return RDV_NONE;
    *out = calcs[0];
    return RDV_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

#define NOT_READ "it is not read as one calculation"
#define SEVERAL "it can be read in more than one way"

static rdv_str without_dots(rdv_str digits)
{
    return rdv_ends(digits, RDV_STR("...")) ? rdv_slice(digits, 0, digits.len - 3) : digits;
}

/* *made is the value if the rules of calculations find it right. RDV_NONE: they do not. */
static int make(rdv_str text, value_of_text value, rdv_arena *arena, value_of_text *made,
                const char **why, rdv_error *err)
{
    rdv_calc calc;
    int code = decide(text, without_dots(value.value), arena, &calc, err);
    *why = NOT_READ;
    if (code != RDV_OK)
        return code;
    *why = calc.note.p ? rdv_cstring(arena, calc.note) : SEVERAL;
    if (!*why)
        return rdv_no_memory(err);
    if (calc.kind != RDV_CALC_RIGHT && (calc.kind != RDV_CALC_ROUNDED || value.exact))
        return RDV_NONE;
    *made = value;
    return RDV_OK;
}

static int print(const fmpq_t x, rdv_arena *arena, value_of_text *out)
{
    rdv_str shown = print_value(x, arena);
    bool digits = reading_eval_is_real(x);
    *out = (value_of_text){.value = shown, .exact = !digits};
    if (digits)
        out->value = rdv_str_printf(arena, "%.*s...", RDV_FMT(print_real(x, arena)));
    else if (shown.p && rdv_starts(shown, RDV_STR("a ")))
        out->value = print_fraction(x, arena);
    if (out->value.p && !digits && rdv_find_char(out->value, '/', 0) != RDV_NOT_FOUND) {
        out->decimal = rdv_str_printf(arena, "%.*s...", RDV_FMT(print_real(x, arena)));
        if (!out->decimal.p)
            return RDV_E_NOMEM;
    }
    return out->value.p ? RDV_OK : RDV_E_NOMEM;
}

/* The first other way to read it that gives another value; 0: there is none. */
static unsigned read_otherwise(const knowledge *k, const expression *e, const fmpq_t x)
{
    unsigned found = 0, offered = readings_that_are(e->readings, READING_UNUSUAL) |
                                  readings_that_are(e->readings, READING_INSTEAD) |
                                  readings_that_are(e->readings, READING_BOTH) |
                                  READ_IMPLICIT_FIRST; /* of "6/2(1+2)" too */
    fmpq_t y;
    fmpq_init(y);
    offered &= ~(unsigned)READ_OF_AS_PROSE; /* a whole text is no prose */
    for (unsigned bit = 1; offered && !found; offered &= ~bit, bit <<= 1) {
        evaluation ev = reading_eval_evaluation(k, bit);
        if (offered & bit && eval_exact(&ev, e->root, y) == EVAL_OK && !fmpq_equal(x, y))
            found = bit;
    }
    fmpq_clear(y);
    return found;
}

/* Of a text that is an expression, read literally. *is_expression says whether it is one. RDV_NONE:
 * it is none, or has no value. */
static int literal(rdv_str text, rdv_arena *arena, value_of_text *out, bool *is_expression,
                   const char **why)
{
    folded f;
    tokens t;
    expression e;
    int code = fold_text(text, arena, &f);
    if (code == RDV_OK)
        code = lex(f.text, arena, &t);
    if (code == RDV_OK)
        code = parse_expression(&t, 0, arena, &e);
    if (code != RDV_OK)
        return code == RDV_E_NOMEM ? code : RDV_NONE;
    *is_expression = t.at[e.end].kind == TOK_END;
    if (!*is_expression || e.n_letters)
        return RDV_NONE;
    *why = "its units may need converting";
    if (e.n_different > 1)
        return RDV_NONE;
    uint64_t budget = BUDGET;
    const knowledge k = {.t = &t, .arena = arena, .budget = &budget};
    fmpq_t x;
    fmpq_init(x);
    eval_is is = reading_eval_term_value(&k, &e, x);
    *why = is == EVAL_UNDEFINED ? "it is not defined: a division by zero or such"
                                : "it is over the limits of exact evaluation";
    unsigned otherwise = is == EVAL_OK ? read_otherwise(&k, &e, x) : 0;
    if (otherwise && !(*why = reading_note(otherwise)))
        *why = SEVERAL;
    code = is == EVAL_OK && !otherwise ? print(x, arena, out) : RDV_NONE;
    fmpq_clear(x);
    return code;
}

/* Of a calculation in words: what its rule gives where it states a wrong result. */
static int in_words(rdv_str text, rdv_arena *arena, value_of_text *out, const char **why,
                    rdv_error *err)
{
    rdv_calc calc;
    *why = NOT_READ;
    int code = decide(text, RDV_STR(ANY_CLAIM), arena, &calc, err);
    if (code != RDV_OK)
        return code;
    *why = calc.note.p ? rdv_cstring(arena, calc.note) : SEVERAL;
    if (!*why)
        return rdv_no_memory(err);
    if (calc.kind != RDV_CALC_WRONG)
        return RDV_NONE;
    const value_of_text value = {.value = calc.value,
                                 .exact = !rdv_ends(calc.value, RDV_STR("..."))};
    return make(text, value, arena, out, why, err);
}

static int of_trimmed(rdv_str text, rdv_arena *arena, value_of_text *out, const char **why,
                      rdv_error *err)
{
    value_of_text value = {0};
    bool is_expression = false;
    *why = NOT_READ;
    int code = literal(text, arena, &value, &is_expression, why);
    if (code == RDV_OK)
        return make(text, value, arena, out, why, err);
    if (code < 0)
        return rdv_no_memory(err);
    return is_expression ? RDV_NONE : in_words(text, arena, out, why, err);
}

int value_of(rdv_str text, rdv_arena *arena, value_of_text *out, const char **why, rdv_error *err)
{
    text = rdv_trim(text);
    if (rdv_ends(text, RDV_STR("=")))
        text = rdv_trim(rdv_slice(text, 0, text.len - 1));
    *why = text.len == 0             ? "it is empty"
           : text.len > VALUE_OF_MAX ? "it is longer than 4,096 bytes"
           : rdv_find_char(text, '=', 0) != RDV_NOT_FOUND
               ? "it states a result; the tool check decides whether that is right"
           : rdv_find_char(text, '\n', 0) != RDV_NOT_FOUND ? "it has more than one line"
                                                           : NULL;
    if (*why)
        return RDV_NONE;
    rdv_str inner = text;
    if (text.len > 2 && text.p[0] == '$' && text.p[text.len - 1] == '$')
        inner = rdv_trim(rdv_slice(text, 1, text.len - 1));
    return of_trimmed(inner, arena, out, why, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "math/for_all.h"

#include "base/str.h"
#include "math/phrase.h"
#include "math/print.h"

#define NEAR 40 /* bytes on each side */

static rdv_str sentence_after(rdv_str text, size_t at)
{
    size_t end = at;
    while (end < text.len && end - at < 2 * NEAR && text.p[end] != '.' && text.p[end] != '\n')
        end++;
    return rdv_slice(text, at, end);
}

static bool names_letter(rdv_str s, rdv_str letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (rdv_starts(rdv_slice(s, i, s.len), letter) && (i == 0 || !rdv_is_alpha(s.p[i - 1])) &&
            (i + letter.len == s.len || !rdv_is_alpha(s.p[i + letter.len])))
            return true;
    return false;
}

/* Does a letter with an index, or one that may be a function, stand in the tokens? */
static bool has_other_names(const tokens *t, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (t->at[i].kind == TOK_UNDERSCORE ||
            (t->at[i].kind == TOK_WORD && t->at[i + 1].kind == TOK_OPEN))
            return true;
    return false;
}

bool for_all_is_claimed(const knowledge *k, const expression *lhs, const expression *rhs)
{
    static phrase_list claims = {"for all;for every;for any"};
    static phrase_list limits = {
        "with;such that;where;satisf*;when;whenever;if;in;\\in;>;<;\\ge*;\\le*;odd;even;"
        "prime;negative;mod;between;except;but"};
    static phrase_list conditions = {
        "given;such that;satisf*;find;condition;equation;know;that;want;require*"};
    const tokens *t = k->t;
    size_t begin = t->at[lhs->begin].begin, end = t->at[rhs->end - 1].end;
    rdv_str after = sentence_after(t->text, end);
    if (!rdv_istarts(rdv_trim(after), RDV_STR("for ")) || !phrase_in(after, &claims) ||
        phrase_in(after, &limits) ||
        phrase_in(rdv_slice(t->text, begin > NEAR ? begin - NEAR : 0, begin), &conditions) ||
        has_other_names(t, lhs->begin, rhs->end))
        return false;
    letters names = {.n = 0};
    if (!function_letters_add(&names, t, lhs->root) || !function_letters_add(&names, t, rhs->root))
        return false;
    for (size_t i = 0; i < names.n; i++)
        if (!names_letter(after, names.name[i]))
            return false;
    return true;
}

/* Both sides at the values; false: one of them has none there. */
static bool values_of(const knowledge *k, const binding *bound, size_t n, const expression *lhs,
                      const expression *rhs, fmpq_t l, fmpq_t r)
{
    evaluation ev = {.t = k->t, .budget = k->budget, .bindings = bound, .n_bindings = n};
    return eval_exact(&ev, lhs->root, l) == EVAL_OK && eval_exact(&ev, rhs->root, r) == EVAL_OK;
}

static int note_values(const knowledge *k, const binding *bound, size_t n, const fmpq_t l,
                       const fmpq_t r, decision *out)
{
    rdv_str note = RDV_STR("with");
    for (size_t i = 0; i < n && note.p; i++)
        note =
            rdv_str_printf(k->arena, "%.*s%s %.*s = %ld", RDV_FMT(note), i ? "," : "",
                           RDV_FMT(bound[i].name), (long)fmpz_get_si(fmpq_numref(bound[i].value)));
    *out = (decision){.is_calculation = true, .kind = RDV_CALC_WRONG, .note = note};
    out->value = print_value(l, k->arena);
    out->claim = print_value(r, k->arena);
    return note.p && out->value.p && out->claim.p ? RDV_OK : RDV_E_NOMEM;
}

int for_all_disproved(const knowledge *k, const expression *lhs, const expression *rhs,
                      decision *out)
{
    letters names = {.n = 0};
    if (!function_letters_add(&names, k->t, lhs->root) ||
        !function_letters_add(&names, k->t, rhs->root) || names.n == 0)
        return RDV_NONE;
    binding bound[EVAL_MAX_LETTERS];
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    for (size_t i = 0; i < names.n; i++) {
        bound[i] = (binding){.name = names.name[i]};
        fmpq_init(bound[i].value);
        fmpq_set_si(bound[i].value, (slong)i + 2, 1);
    }
    int result = RDV_NONE;
    if (values_of(k, bound, names.n, lhs, rhs, l, r) && !fmpq_equal(l, r))
        result = note_values(k, bound, names.n, l, r, out);
    for (size_t i = 0; i < names.n; i++)
        fmpq_clear(bound[i].value);
    fmpq_clear(l);
    fmpq_clear(r);
    return result;
}

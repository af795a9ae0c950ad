/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/self_corrected.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/rule.h"

#include <math.h>

#define REACH 2000      /* bytes after a claim in which a phrase may take it back */
#define VALUE_REACH 600 /* bytes after the phrase in which the true value may stand */
#define TOLD_DIGITS 3   /* that a true value shows at least, to be told by a phrase alone */
#define CUE_OVERLAP 16  /* tokens that two windows of the search for phrases share */

/* A number of the text. */
typedef struct number {
    size_t at;          /* byte of the text */
    rdv_str name;       /* its digits as all ways to write it share them */
    double value, unit; /* without its sign; of its last digit */
    int digits;         /* from the first that is not zero */
} number;

/* A decided claim of the chain. */
typedef struct claim {
    rdv_calc *calc;
    size_t step, begin, end; /* bytes of the whole text */
    rdv_str about;           /* its left side, as all ways to write it share it */
    number stated;           /* the number that it claims; digits 0: none was read */
    size_t next;             /* the next claim of another number for it, or SIZE_MAX */
} claim;

typedef struct reader {
    const step_calcs *steps;
    size_t n_steps, n_thought;
    const rule_set *rules;
    rdv_arena *arena;
    rdv_str text;  /* all steps, with line breaks between them */
    size_t *begin; /* of each step in it */
    number *numbers;
    size_t n_numbers, cap_numbers;
    rdv_map last;    /* from the name of a number to its last place in `numbers` */
    size_t *phrases; /* bytes at which something is taken back, in order */
    size_t n_phrases, cap_phrases;
    claim *claims;
    size_t n_claims, cap_claims;
} reader;

/* The index of the first of `n` places from byte `at` on, in order, `stride` bytes apart; n: none.
 */
static size_t first_from(const size_t *places, size_t stride, size_t n, size_t at)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const size_t *place =
            (const size_t *)(const void *)((const char *)places + middle * stride);
        if (*place < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool begins_number(rdv_str s, size_t i)
{
    bool digit =
        rdv_is_digit(s.p[i]) || (s.p[i] == '.' && i + 1 < s.len && rdv_is_digit(s.p[i + 1]));
    return digit &&
           (i == 0 || !(rdv_is_alnum(s.p[i - 1]) || s.p[i - 1] == '.' || s.p[i - 1] == '_'));
}

/* The signed whole number at byte `i`, perhaps in braces; false: there is none. */
static bool read_exponent(rdv_str s, size_t *i, int *out)
{
    size_t k = *i;
    bool brace = k < s.len && s.p[k] == '{', minus = false;
    k += brace;
    if (k < s.len && (s.p[k] == '-' || s.p[k] == '+'))
        minus = s.p[k++] == '-';
    else if (rdv_starts(rdv_slice(s, k, s.len), RDV_STR("\xe2\x88\x92")))
        minus = true, k += 3;
    int n = 0;
    size_t first = k;
    for (; k < s.len && rdv_is_digit(s.p[k]) && k - first < 4; k++)
        n = 10 * n + (s.p[k] - '0');
    if (k == first)
        return false;
    *out = minus ? -n : n;
    *i = k + (brace && k < s.len && s.p[k] == '}');
    return true;
}

/* A power of ten behind a number: "e-15", "x 10^-15", "\times 10^{-15}". */
static size_t read_power(rdv_str s, size_t i, int *out)
{
    static const char *const signs[] = {"\\times", "\\cdot", "\xc3\x97", "\xc2\xb7", "*", "x"};
    size_t k = i;
    if (k < s.len && (s.p[k] == 'e' || s.p[k] == 'E') && ++k && read_exponent(s, &k, out))
        return k;
    for (k = i; k < s.len && s.p[k] == ' ';)
        k++;
    for (size_t n = 0; n < sizeof signs / sizeof *signs; n++) {
        rdv_str sign = rdv_str_of(signs[n]);
        if (!rdv_starts(rdv_slice(s, k, s.len), sign))
            continue;
        for (k += sign.len; k < s.len && s.p[k] == ' ';)
            k++;
        if (!rdv_starts(rdv_slice(s, k, s.len), RDV_STR("10^")))
            return i;
        k += 3;
        return read_exponent(s, &k, out) ? k : i;
    }
    return i;
}

/* The number that begins at byte `i`; *end becomes the byte behind it. RDV_OK or RDV_E_NOMEM. */
static int read_number(rdv_str s, size_t i, rdv_arena *arena, number *out, size_t *end)
{
    char digits[40];
    size_t n = 0, k = i;
    int decimals = 0, power = 0;
    bool point = false;
    *out = (number){.at = i};
    for (; k < s.len; k++) {
        bool group = s.p[k] == ',' && !point && k + 3 < s.len && rdv_is_digit(s.p[k + 1]) &&
                     rdv_is_digit(s.p[k + 2]) && rdv_is_digit(s.p[k + 3]) &&
                     !(k + 4 < s.len && rdv_is_digit(s.p[k + 4]));
        if (s.p[k] == '.' && !point && k + 1 < s.len && rdv_is_digit(s.p[k + 1])) {
            point = true;
            continue;
        }
        if (!rdv_is_digit(s.p[k]) && !group)
            break;
        if (group)
            continue;
        out->value = 10 * out->value + (s.p[k] - '0');
        decimals += point;
        out->digits += out->digits || s.p[k] != '0';
        if (n + 1 < sizeof digits && (n || s.p[k] != '0'))
            digits[n++] = s.p[k];
    }
    *end = read_power(s, k, &power);
    power -= decimals;
    out->unit = pow(10, power);
    out->value *= out->unit;
    while (n > 1 && digits[n - 1] == '0') /* 2.50 is 2.5 */
        n--, power++;
    out->name = rdv_str_printf(arena, "%.*se%d", (int)n, digits, power);
    return out->name.p ? RDV_OK : RDV_E_NOMEM;
}

static int read_numbers(reader *r)
{
    for (size_t i = 0; i < r->text.len; i++) {
        size_t end;
        if (!begins_number(r->text, i))
            continue;
        if (!RDV_PUSH_ROOM(r->arena, r->numbers, r->n_numbers, r->cap_numbers) ||
            read_number(r->text, i, r->arena, &r->numbers[r->n_numbers], &end) < 0 ||
            rdv_map_put(&r->last, r->numbers[r->n_numbers].name, r->n_numbers) < 0)
            return RDV_E_NOMEM;
        r->n_numbers++;
        i = end > i ? end - 1 : i;
    }
    return RDV_OK;
}

/* The byte of the last place of a number like this one. */
static size_t last_place(const reader *r, const number *n)
{
    size_t i = rdv_map_get(&r->last, n->name);
    return i == RDV_MAP_MISSING ? 0 : r->numbers[i].at;
}

/* The first number in a text. */
static int first_number(rdv_str s, rdv_arena *arena, number *out)
{
    size_t end, i = 0;
    *out = (number){0};
    while (i < s.len && !begins_number(s, i))
        i++;
    return i < s.len ? read_number(s, i, arena, out, &end) : RDV_OK;
}

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
        size_t k = 0;
        rdv_str rest = rdv_slice(side, i, side.len);
        while (k < sizeof same / sizeof *same && !rdv_starts(rest, rdv_str_of(same[k].sign)))
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

static int add_claim(reader *r, size_t step, rdv_calc *c)
{
    bool decided = c->kind != RDV_CALC_UNDECIDED || is_taken_back(r, c);
    if (!decided || !c->lhs.p || !c->rhs.p)
        return RDV_OK;
    if (!RDV_PUSH_ROOM(r->arena, r->claims, r->n_claims, r->cap_claims))
        return RDV_E_NOMEM;
    claim *out = &r->claims[r->n_claims++];
    *out = (claim){.calc = c,
                   .step = step,
                   .begin = r->begin[step] + c->begin,
                   .end = r->begin[step] + c->end,
                   .next = SIZE_MAX};
    return name_side(c->lhs, r->arena, &out->about) < 0 ||
                   first_number(c->rhs, r->arena, &out->stated) < 0
               ? RDV_E_NOMEM
               : RDV_OK;
}

static int read_claims(reader *r)
{
    rdv_map later;
    rdv_map_init(&later, r->arena);
    for (size_t i = 0; i < r->n_steps; i++)
        for (size_t k = 0; k < r->steps[i].n; k++)
            if (add_claim(r, i, &r->steps[i].at[k]) < 0)
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
    for (size_t from = 0; from < r->text.len;) {
        cue_text_of(rdv_slice(r->text, from, r->text.len), &window);
        size_t n = assertion_cues(&window, hits, sizeof hits / sizeof *hits);
        bool all = window.n < sizeof window.at / sizeof *window.at;
        for (size_t i = 0; i < n; i++) {
            size_t at = (size_t)(window.at[hits[i].begin].written.p - r->text.p);
            bool retracts = hits[i].rule->effect == EFFECT_RETRACTED &&
                            begins_clause(&window, &hits[i], from == 0);
            const rule *mine = retracts ? rule_set_find(r->rules, hits[i].rule->id) : NULL;
            if (mine && !mine->off && add_phrase(r, at) < 0)
                return RDV_E_NOMEM;
        }
        if (all)
            break;
        from = (size_t)(window.at[window.n - CUE_OVERLAP].written.p - r->text.p);
    }
    return RDV_OK;
}

/* The first phrase from byte `at` on; SIZE_MAX: there is none. */
static size_t next_phrase(const reader *r, size_t at)
{
    size_t i = first_from(r->phrases, sizeof *r->phrases, r->n_phrases, at);
    return i < r->n_phrases ? r->phrases[i] : SIZE_MAX;
}

/* ---- corrections ----------------------------------------------------------------------------- */

/* Has `other`, which stands at byte `at`, the last word against the number that is corrected? */
static bool has_last_word(const reader *r, const number *corrected, const number *other, size_t at)
{
    size_t last = last_place(r, corrected);
    return !rdv_str_eq(corrected->name, other->name) && (last < at || last < last_place(r, other));
}

static bool are_both_right(const rdv_calc *a, const rdv_calc *b)
{
    return a->kind <= RDV_CALC_ROUNDED && b->kind <= RDV_CALC_ROUNDED;
}

static void correct(claim *c, size_t step, size_t begin, size_t end)
{
    c->calc->kind = RDV_CALC_SELF_CORRECTED;
    c->calc->note = c->calc->rule = (rdv_str){0};
    c->calc->corrected.step = step;
    c->calc->corrected.begin = begin;
    c->calc->corrected.end = end;
}

/* By a later claim about the same thing, where a phrase takes back this one ("7 * 8 = 54 would be
 * false") or something before the later one, or in reasoning whose value is used after it. */
static bool is_corrected_by_claim(const reader *r, claim *c)
{
    if (c->next == SIZE_MAX || !c->stated.digits)
        return false;
    const claim *by = &r->claims[c->next];
    if (!by->stated.digits || are_both_right(c->calc, by->calc) ||
        !has_last_word(r, &c->stated, &by->stated, by->end))
        return false;
    bool used = c->step < r->n_thought && last_place(r, &by->stated) >= by->end;
    if (!used && !is_taken_back(r, c->calc) && next_phrase(r, c->end) >= by->begin)
        return false;
    correct(c, by->step, by->calc->begin, by->calc->end);
    return true;
}

static size_t step_at(const reader *r, size_t at)
{
    return first_from(r->begin, sizeof *r->begin, r->n_steps, at + 1) - 1; /* the first is at 0 */
}

/* The first number from byte `at` on. */
static size_t number_from(const reader *r, size_t at)
{
    return r->n_numbers ? first_from(&r->numbers->at, sizeof *r->numbers, r->n_numbers, at) : 0;
}

/* Does the number show the true value, to the digits that it has? */
static bool shows(const number *n, const number *value, const number *wrong)
{
    double apart = fabs(n->value - value->value);
    return n->digits >= TOLD_DIGITS && apart <= n->unit &&
           2 * apart < fabs(wrong->value - value->value);
}

/* By its true value, behind a phrase that takes something back. */
static int correct_by_value(const reader *r, claim *c)
{
    number value;
    size_t phrase = next_phrase(r, c->end);
    if (!c->stated.digits || c->calc->kind <= RDV_CALC_ROUNDED || !c->calc->value.p ||
        phrase == SIZE_MAX || phrase - c->end > REACH)
        return RDV_OK;
    if (first_number(c->calc->value, r->arena, &value) < 0)
        return RDV_E_NOMEM;
    bool fraction = rdv_find_char(c->calc->value, '/', 0) != RDV_NOT_FOUND;
    for (size_t i = number_from(r, phrase); !fraction && value.digits && i < r->n_numbers; i++) {
        const number *n = &r->numbers[i];
        if (n->at - phrase > VALUE_REACH)
            break;
        if (!shows(n, &value, &c->stated) || !has_last_word(r, &c->stated, n, n->at))
            continue;
        size_t step = step_at(r, n->at), end;
        number again;
        if (read_number(r->text, n->at, r->arena, &again, &end) < 0)
            return RDV_E_NOMEM;
        correct(c, step, n->at - r->begin[step], end - r->begin[step]);
        break;
    }
    return RDV_OK;
}

static int join_steps(reader *r)
{
    rdv_buf b;
    rdv_buf_init(&b, r->arena, 0);
    r->begin = RDV_NEW_ARRAY(r->arena, size_t, r->n_steps);
    if (!r->begin)
        return RDV_E_NOMEM;
    size_t at = 0;
    for (size_t i = 0; i < r->n_steps; i++) {
        r->begin[i] = at;
        rdv_buf_add(&b, r->steps[i].step);
        rdv_buf_add_char(&b, '\n');
        at += r->steps[i].step.len + 1;
    }
    r->text = rdv_buf_str(&b);
    return r->text.p ? RDV_OK : RDV_E_NOMEM;
}

/* Only where something is wrong can one value be corrected by another. */
static bool may_be_corrected(const reader *r)
{
    for (size_t i = 0; i < r->n_steps; i++)
        for (size_t k = 0; k < r->steps[i].n; k++)
            if (r->steps[i].at[k].kind == RDV_CALC_WRONG || is_taken_back(r, &r->steps[i].at[k]))
                return true;
    return false;
}

int self_corrected_mark(const step_calcs *steps, size_t n, size_t n_thought, const rule_set *rules,
                        rdv_arena *arena)
{
    reader r = {.steps = steps,
                .n_steps = n,
                .n_thought = n_thought,
                .rules = rules ? rules : rule_set_built_in(),
                .arena = arena};
    if (!r.rules)
        return RDV_E_NOMEM;
    if (!may_be_corrected(&r))
        return RDV_OK;
    rdv_map_init(&r.last, arena);
    if (join_steps(&r) < 0 || read_numbers(&r) < 0 || read_claims(&r) < 0 || read_phrases(&r) < 0)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < r.n_claims; i++)
        if (!is_corrected_by_claim(&r, &r.claims[i]) && correct_by_value(&r, &r.claims[i]) < 0)
            return RDV_E_NOMEM;
    return RDV_OK;
}

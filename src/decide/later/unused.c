/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/later/unused.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

#include <stdio.h>
#include <string.h>

#define TAKEN_DIGITS 2   /* a number with fewer may stand in the reply by chance */
#define ROUNDED_DIGITS 3 /* at least, of a number that rounds another */
#define NAME_MAX 48      /* bytes of a number's name */
#define NOWHERE SIZE_MAX

/* A number as all its places share it. */
typedef struct value {
    size_t first;   /* its first place, as an index of the numbers */
    size_t used_in; /* the last sentence in which something used comes from it; NOWHERE: none */
    size_t claim;   /* the last claim on whose left side it was seen */
} value;

typedef struct tracer {
    chain_text of;
    size_t *sentence; /* first byte of each sentence of the reasoning, and the end of the last */
    size_t n_sentences, cap_sentences;
    bool *leads; /* sentences in which something that is used stands for the first time, and may
                    come from the sentence before: both are of one step */
    rdv_map ids; /* from the name of a number to its value */
    value *values;
    size_t *id; /* of each number, its value */
    size_t n_values;
} tracer;

/* ---- reading --------------------------------------------------------------------------------- */

static bool ends_sentence(rdv_str s, size_t i)
{
    bool stop = s.p[i] == '.' || s.p[i] == '?' || s.p[i] == '!';
    return s.p[i] == '\n' || (stop && i + 1 < s.len && s.p[i + 1] == ' ');
}

static int add_sentence(tracer *t, size_t begin)
{
    if (!RDV_PUSH_ROOM(t->of.arena, t->sentence, t->n_sentences, t->cap_sentences))
        return RDV_E_NOMEM;
    t->sentence[t->n_sentences++] = begin;
    return RDV_OK;
}

/* The sentences of the first `end` bytes. */
static int read_sentences(tracer *t, size_t end)
{
    if (add_sentence(t, 0) < 0)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < end; i++)
        if (ends_sentence(t->of.text, i) && add_sentence(t, i + 1) < 0)
            return RDV_E_NOMEM;
    t->n_sentences--; /* the last one begins at the end, since a step ends in a line break */
    t->leads = RDV_NEW_ARRAY(t->of.arena, bool, t->n_sentences + 1);
    return t->leads ? RDV_OK : RDV_E_NOMEM;
}

static int read_values(tracer *t)
{
    size_t n = t->of.n_numbers;
    rdv_map_init(&t->ids, t->of.arena);
    t->values = RDV_NEW_ARRAY(t->of.arena, value, n ? n : 1);
    t->id = RDV_NEW_ARRAY(t->of.arena, size_t, n ? n : 1);
    if (!t->values || !t->id)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        t->id[i] = rdv_map_get(&t->ids, t->of.numbers[i].name);
        if (t->id[i] != RDV_MAP_MISSING)
            continue;
        t->id[i] = t->n_values++;
        t->values[t->id[i]] = (value){.first = i, .used_in = NOWHERE, .claim = NOWHERE};
        if (rdv_map_put(&t->ids, t->of.numbers[i].name, t->id[i]) < 0)
            return RDV_E_NOMEM;
    }
    return RDV_OK;
}

/* ---- what is used ---------------------------------------------------------------------------- */

static bool is_used_after(const value *v, size_t sentence)
{
    return v->used_in != NOWHERE && v->used_in > sentence;
}

/* Is a number with these digits and this power of ten used after the sentence? */
static bool is_name_used(const tracer *t, const char *digits, size_t n, int power, size_t sentence)
{
    char name[NAME_MAX];
    for (; n > 1 && digits[n - 1] == '0'; n--)
        power++;
    int len = snprintf(name, sizeof name, "%.*se%d", (int)n, digits, power);
    size_t id = rdv_map_get(&t->ids, (rdv_str){name, (size_t)len});
    return id != RDV_MAP_MISSING && is_used_after(&t->values[id], sentence);
}

/* The first `n` digits plus one, in their last place; false: they are all nines. */
static bool count_up(char *digits, size_t n)
{
    for (; n > 0 && digits[n - 1] == '9'; n--)
        digits[n - 1] = '0';
    if (n > 0)
        digits[n - 1]++;
    return n > 0;
}

/* Is a number used after the sentence that this one rounds to, or is cut off to? */
static bool is_rounding_used(const tracer *t, const chain_number *of, size_t sentence)
{
    size_t n = rdv_find_char(of->name, 'e', 0);
    char up[NAME_MAX];
    if (n >= sizeof up)
        return false;
    for (size_t k = n - 1; n > ROUNDED_DIGITS && k >= ROUNDED_DIGITS; k--) {
        int at = of->power + (int)(n - k);
        memcpy(up, of->name.p, k);
        if (is_name_used(t, up, k, at, sentence) ||
            (of->name.p[k] >= '5' && count_up(up, k) && is_name_used(t, up, k, at, sentence)))
            return true;
    }
    return false;
}

static bool is_used(const tracer *t, size_t number, size_t sentence)
{
    return is_used_after(&t->values[t->id[number]], sentence) ||
           is_rounding_used(t, &t->of.numbers[number], sentence);
}

/* Does one of the numbers from `from` to `to` stand for the first time, and is used later? */
static bool leads_on(const tracer *t, size_t from, size_t to, size_t sentence)
{
    for (size_t i = from; i < to; i++)
        if (t->values[t->id[i]].first == i && is_used(t, i, sentence))
            return true;
    return false;
}

/* The reply uses its numbers. false: it takes none of two digits over from the reasoning. */
static bool use_reply(tracer *t, size_t begin)
{
    size_t first = chain_text_number_from(&t->of, begin);
    bool takes = false;
    for (size_t i = first; i < t->of.n_numbers; i++) {
        value *v = &t->values[t->id[i]];
        v->used_in = t->n_sentences;
        takes |= v->first < first && t->of.numbers[i].digits >= TAKEN_DIGITS;
    }
    return takes;
}

static bool begins_step(const tracer *t, size_t sentence)
{
    size_t at = t->sentence[sentence];
    return t->of.begin[chain_text_step_at(&t->of, at)] == at;
}

/* From the last sentence to the first: what leads on uses the numbers beside it, and in its step
 * those of the sentence before. */
static void trace(tracer *t)
{
    size_t end = chain_text_number_from(&t->of, t->sentence[t->n_sentences]);
    for (size_t s = t->n_sentences; s-- > 0;) {
        size_t begin = end;
        while (begin > 0 && t->of.numbers[begin - 1].at >= t->sentence[s])
            begin--;
        bool leads = leads_on(t, begin, end, s);
        t->leads[s] = leads && !begins_step(t, s);
        for (size_t i = begin; i < end && (leads || t->leads[s + 1]); i++) {
            value *v = &t->values[t->id[i]];
            if (v->used_in == NOWHERE)
                v->used_in = s;
        }
        end = begin;
    }
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* Is the left side a number, which the right side works out: "15 = 25 - 5"? */
static bool is_number(rdv_str side)
{
    for (size_t i = 0; i < side.len; i++)
        if (!rdv_is_digit(side.p[i]) && side.p[i] != '.' && side.p[i] != ',')
            return false;
    return side.len > 0;
}

/* Note the numbers of the left side as taken over, not stated. */
static int read_left(tracer *t, const rdv_calc *c, size_t claim)
{
    for (size_t i = 0; i < c->lhs.len && !is_number(c->lhs);) {
        chain_number n;
        if (chain_number_next(c->lhs, &i, t->of.arena, &n) < 0)
            return RDV_E_NOMEM;
        if (!n.name.p)
            break;
        size_t id = rdv_map_get(&t->ids, n.name);
        if (id != RDV_MAP_MISSING)
            t->values[id].claim = claim;
    }
    return RDV_OK;
}

/* *used: may the reply come from the claim? So it is where the claim states no number of its own.
 */
static int trace_claim(tracer *t, const rdv_calc *c, size_t step, size_t claim, bool *used)
{
    size_t begin = t->of.begin[step] + c->begin, end = t->of.begin[step] + c->end;
    size_t s = chain_text_first_from(t->sentence, sizeof *t->sentence, t->n_sentences, end) - 1;
    size_t i = chain_text_number_from(&t->of, begin);
    bool states = false;
    if (read_left(t, c, claim) < 0)
        return RDV_E_NOMEM;
    for (*used = t->leads[s + 1]; i < t->of.n_numbers && t->of.numbers[i].at < end; i++)
        if (t->values[t->id[i]].claim != claim) {
            states = true;
            *used |= is_used(t, i, s);
        }
    *used |= !states || leads_on(t, i, chain_text_number_from(&t->of, t->sentence[s + 1]), s);
    return RDV_OK;
}

static bool is_anything_wrong(step_calcs *steps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (calc_list_first(&steps[i].calcs, RDV_CALC_WRONG, RDV_CALC_WRONG))
            return true;
    return false;
}

int unused_mark(step_calcs *steps, size_t n, size_t n_thought, rdv_arena *arena)
{
    tracer t = {0};
    if (n_thought >= n || !is_anything_wrong(steps, n_thought))
        return RDV_OK;
    if (chain_text_read(steps, n, 0, arena, &t.of) < 0 ||
        read_sentences(&t, t.of.begin[n_thought]) < 0 || read_values(&t) < 0)
        return RDV_E_NOMEM;
    if (!use_reply(&t, t.of.begin[n_thought]))
        return RDV_OK;
    trace(&t);
    for (size_t i = 0, claim = 0; i < n_thought; i++)
        for (size_t k = 0; k < steps[i].calcs.n; k++, claim++) {
            bool used = true;
            const rdv_calc *c = calc_list_see(&steps[i].calcs, k);
            if (c->kind == RDV_CALC_WRONG && trace_claim(&t, c, i, claim, &used) < 0)
                return RDV_E_NOMEM;
            if (!used)
                calc_list_at(&steps[i].calcs, k)->kind = RDV_CALC_UNUSED;
        }
    return RDV_OK;
}

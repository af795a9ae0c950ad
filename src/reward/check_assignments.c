/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that give names values, from step to step: a value that two names have, one that got lost,
 * a change that the step does not speak of. */
#include "reward/checks.h"

#define MAX_VALUE ((size_t)6) /* words; what is longer is prose and no value */

static const char *const articles[] = {"a", "an", "the", "now", NULL};
static const char *const verbs[] = {"is", "has", "gets", "are", "was", NULL};
static const char *const joins[] = {"then", "and", "while", NULL};
static const char *const open_words[] = {"any", "unknown", "empty", "either", "anything", NULL};

static bool ends_clause(const token *t)
{
    return (t->is == TOKEN_MARK && strchr(",;.", t->text.p[0])) || scan_is_word_of(t, joins);
}

/* What stands between a name and its value at token `i`, in tokens; 0: nothing of the kind. */
static size_t separator_at(const tokens *t, size_t i)
{
    if (is_mark(&t->of[i], ':') || is_mark(&t->of[i], '='))
        return 1;
    if (is_word(&t->of[i], "can") && i + 1 < t->n && is_word(&t->of[i + 1], "be"))
        return 2;
    return scan_is_word_of(&t->of[i], verbs) ? 1 : 0;
}

/* The pair whose name is token `i`. *end: after its value. */
static bool read_pair(const tokens *t, size_t i, pair *out, size_t *end)
{
    if (t->of[i].is != TOKEN_WORD || i + 1 >= t->n || t->of[i].quoted)
        return false;
    size_t sep = separator_at(t, i + 1);
    size_t at = i + 1 + sep, words = 0;
    if (!sep)
        return false; /* before anything is skipped: most words are no names */
    *out = (pair){.key = t->of[i].hash, .key_text = t->of[i].text};
    while (at < t->n && scan_is_word_of(&t->of[at], articles))
        at++;
    out->from = at;
    for (; at < t->n && !ends_clause(&t->of[at]) && words <= MAX_VALUE; at++, words++) {
        if (separator_at(t, at))
            return false; /* "At the start: Ann is ...": a heading, no value */
        if (words == 0 && scan_is_word_of(&t->of[at], open_words))
            out->open = true;
        out->value = out->value * 0x100000001b3u ^ t->of[at].hash;
    }
    out->to = *end = at;
    return words && words <= MAX_VALUE;
}

/* The last list of at least two pairs in one sentence, into pairs[MAX_PAIRS]; *from: the token that
 * it begins at. How many. */
static size_t read_list(const tokens *t, pair *pairs, size_t *from)
{
    size_t n = 0, run = 0, began = 0, end;
    pair now[MAX_PAIRS];
    for (size_t i = 0; i < t->n;) {
        pair p;
        if (is_mark(&t->of[i], '.'))
            run = 0;
        if (run == MAX_PAIRS || !read_pair(t, i, &p, &end)) {
            i++;
            continue;
        }
        if (run == 0)
            began = i;
        now[run++] = p;
        if (run >= 2) {
            memcpy(pairs, now, run * sizeof *now);
            n = run;
            *from = began;
        }
        i = end;
    }
    return n;
}

static const pair *with_key(const assignments *a, uint64_t key)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->of[i].key == key)
            return &a->of[i];
    return NULL;
}

static const pair *with_value(const assignments *a, uint64_t value)
{
    for (size_t i = 0; i < a->n; i++)
        if (!a->of[i].open && a->of[i].value == value)
            return &a->of[i];
    return NULL;
}

/* Which words of each value no other value of the list has: "black" of "black book". */
static void mark_own(const tokens *t, assignments *a)
{
    for (size_t i = 0; i < a->n; i++) {
        pair *p = &a->of[i];
        for (size_t k = p->from; k < p->to; k++) {
            bool own = true;
            for (size_t j = 0; j < a->n && own; j++)
                for (size_t w = a->of[j].from; j != i && w < a->of[j].to; w++)
                    own = own && (a->of[j].value == p->value || t->of[w].hash != t->of[k].hash);
            p->own |= (unsigned)own << (k - p->from);
        }
    }
}

/* Whether the step speaks, before its list, of that name, or of a word that is the value's own. */
static bool speaks_of(const tokens *t, size_t n, const pair *p)
{
    for (size_t i = 0; i < n; i++)
        if (t->of[i].hash == p->key || check_pair_has(t, p, t->of[i].hash))
            return true;
    return false;
}

static bool speaks_of_key(const tokens *t, size_t n, const pair *p)
{
    for (size_t i = 0; i < n; i++)
        if (t->of[i].hash == p->key)
            return true;
    return false;
}

static void compare(const assignments *before, const assignments *now, const tokens *t, size_t lead,
                    const feature_set *words, assignment_found *out)
{
    size_t named = 0, unchanged = 0;
    for (size_t i = 0; i < before->n; i++)
        if (!before->of[i].open && !with_value(now, before->of[i].value))
            out->lost++;
    for (size_t i = 0; i < now->n; i++) {
        const pair *p = &now->of[i], *old = with_key(before, p->key);
        bool same = old && !old->open && !p->open && old->value == p->value;
        if (!old && feature_set_last(words, p->key) == FEATURE_SET_NEVER)
            out->added++;
        if (lead && speaks_of_key(t, lead, p)) {
            named++;
            unchanged += same;
        }
        if (p->open || same)
            continue;
        if (lead && !speaks_of(t, lead, p))
            out->unsaid++;
    }
    if (named >= 2)
        out->kept = (double)unchanged;
}

static double count_twice(const assignments *a)
{
    double twice = 0;
    for (size_t i = 0; i < a->n; i++)
        twice += !a->of[i].open && with_value(a, a->of[i].value) != &a->of[i];
    return twice;
}

#define MAX_LEAD ((size_t)256) /* tokens before a list that are looked at */

/* Where the sentence that speaks before the list ends: without the list's own heading. */
static size_t lead_of(const tokens *t, size_t from)
{
    size_t end = from = from < MAX_LEAD ? from : MAX_LEAD;
    for (size_t i = 0; i < from; i++)
        if (is_mark(&t->of[i], '.') || (is_mark(&t->of[i], ':') && i + 1 == from))
            end = i;
    return end;
}

int check_assignments_step(assignments *a, const tokens *step, const feature_set *words,
                           rdv_arena *arena, assignment_found *out)
{
    pair pairs[MAX_PAIRS];
    size_t from = 0;
    *out = (assignment_found){0};
    assignments now = {pairs, read_list(step, pairs, &from)};
    if (now.n < 2)
        return RDV_OK;
    size_t lead = lead_of(step, from);
    mark_own(step, &now);
    out->n = now.n;
    out->twice = count_twice(&now);
    out->compared = a->n > 0;
    if (out->compared)
        compare(a, &now, step, lead, words, out);
    check_ranks(a, &now, step, lead, from, out);
    double bad = out->twice + out->lost + out->unsaid + out->kept + out->added;
    out->held = bad < (double)now.n ? (double)now.n - bad : 0;
    a->of = RDV_NEW_ARRAY(arena, pair, now.n);
    if (!a->of)
        return RDV_E_NOMEM;
    memcpy(a->of, pairs, now.n * sizeof *pairs);
    a->n = now.n;
    return RDV_OK;
}

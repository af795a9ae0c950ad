/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks: "X is the third from the right" before a list in which X has a rank. */
#include "language/number_words.h"
#include "reward/checks.h"

/* The rank that begins a word ("third", "third-to-last"), from 1; "last" and superlatives are 1:
 * from which end is left open. 0: none. */
static size_t rank_of(rdv_str word)
{
    rdv_str head = rdv_slice(word, 0, rdv_find_char(word, '-', 0));
    unsigned place;
    if (ordinal_word(head, &place))
        return place;
    bool superlative = head.len > 5 && rdv_ends(head, RDV_STR("est"));
    static const char *const ends[] = {"last", "most", "leftmost", "rightmost"};
    bool most = rdv_is_one_of(head, ends, sizeof ends / sizeof *ends);
    return most || superlative ? 1 : 0;
}

static size_t rank_at(const tokens *t, size_t i)
{
    return t->of[i].is == TOKEN_WORD ? rank_of(t->of[i].text) : 0;
}

/* How many ranks the step's list runs to. */
static size_t ranks_named(const tokens *t, size_t from)
{
    size_t most = 0;
    for (size_t i = from; i < t->n; i++)
        most = rank_at(t, i) > most ? rank_at(t, i) : most;
    return most;
}

/* The rank that a sentence before the list gives to the value of `p`. 0: none speaks of the value;
 * *spoken: whether one does. The last such sentence counts, and its first rank: "second-most". */
static size_t rank_said(const tokens *t, size_t lead, const pair *p, bool *spoken)
{
    size_t said = 0, rank = 0;
    bool names = false;
    *spoken = false;
    for (size_t i = 0; i <= lead; i++) {
        if (i == lead || is_mark(&t->of[i], '.')) {
            said = names ? rank : said;
            *spoken = *spoken || names;
            names = false;
            rank = 0;
            continue;
        }
        names = names || check_pair_has(t, p, t->of[i].hash);
        rank = rank ? rank : rank_at(t, i);
    }
    return said;
}

static const pair *same_in(const assignments *a, const pair *p)
{
    for (size_t i = 0; i < a->n; i++)
        if (a->of[i].key == p->key)
            return !a->of[i].open && a->of[i].value == p->value ? &a->of[i] : NULL;
    return NULL;
}

static size_t closed(const assignments *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        n += !a->of[i].open;
    return n;
}

void check_ranks(const assignments *before, const assignments *now, const tokens *t, size_t lead,
                 size_t from, assignment_found *out)
{
    size_t n = ranks_named(t, from), placed = closed(before);
    size_t free_before = n > placed ? n - placed : 0;
    for (size_t i = 0; i < now->n && n >= 2 && lead; i++) {
        const pair *p = &now->of[i];
        size_t stands = rank_of(p->key_text);
        bool spoken;
        if (!stands || p->open)
            continue;
        size_t said = rank_said(t, lead, p, &spoken);
        if (said)
            *(stands == said || stands + said == n + 1 ? &out->rank.held : &out->rank.broken) += 1;
        else if (!same_in(before, p) && free_before > 2)
            out->unfounded++;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "task/deduce.h"

#include "task/make.h"

#include <string.h>

/* The places that other things have for certain. */
static known taken(const known *k, size_t n, size_t but)
{
    known all = 0;
    for (size_t i = 0; i < n; i++)
        if (i != but && deduce_is_one(k[i]))
            all |= k[i];
    return all;
}

/* Keep of k[i] what is in `allowed` and not taken. False: nothing new; or nothing would be left,
 * after an error: that is not followed. */
static bool narrow(known *k, size_t n, size_t i, known allowed)
{
    known now = k[i] & allowed;
    if (!deduce_is_one(k[i]))
        now &= ~taken(k, n, i);
    if (now == 0 || now == k[i])
        return false;
    k[i] = now;
    return true;
}

static size_t lowest(known places)
{
    size_t i = 0;
    while (!(places >> i & 1))
        i++;
    return i;
}

static size_t highest(known places)
{
    size_t i = lowest(places);
    while (places >> (i + 1))
        i++;
    return i;
}

bool deduce_apply(const clue *c, known *k, size_t n)
{
    known before = ((known)1 << highest(k[c->b])) - 1;
    known a = k[c->a], b = k[c->b];
    known allowed_b = ~(((known)2 << lowest(k[c->a])) - 1);
    /* Only what the clue itself tells counts as new. */
    if (!(a & ~before) && !(b & ~allowed_b))
        return false;
    bool first = narrow(k, n, c->a, before);
    bool second = narrow(k, n, c->b, ~(((known)2 << lowest(k[c->a])) - 1));
    return first || second;
}

/* The only thing that may be at `place`, or n. */
static size_t only_one_at(const known *k, size_t n, size_t place)
{
    size_t only = n;
    for (size_t i = 0; i < n; i++) {
        if (!(k[i] >> place & 1) || (deduce_is_one(k[i]) && k[i] != (known)1 << place))
            continue;
        if (only < n)
            return n;
        only = i;
    }
    return only;
}

bool deduce_eliminate(const known *k, size_t n, size_t *thing, size_t *place)
{
    for (size_t i = 0; i < n; i++) {
        known left = k[i] & ~taken(k, n, i);
        if (!deduce_is_one(k[i]) && deduce_is_one(left)) {
            *thing = i;
            *place = lowest(left);
            return true;
        }
    }
    for (size_t p = 0; p < n; p++) {
        size_t i = only_one_at(k, n, p);
        if (i < n && !deduce_is_one(k[i])) {
            *thing = i;
            *place = p;
            return true;
        }
    }
    return false;
}

void deduce_order(const known *k, size_t n, size_t *order)
{
    bool placed[DEDUCE_MOST] = {0};
    for (size_t p = 0; p < n; p++) {
        order[p] = n;
        for (size_t i = 0; i < n && order[p] == n; i++)
            if (!placed[i] && k[i] == (known)1 << p) {
                order[p] = i;
                placed[i] = true;
            }
    }
    for (size_t p = 0; p < n; p++)
        for (size_t i = 0; i < n && order[p] == n; i++)
            if (!placed[i]) {
                order[p] = i;
                placed[i] = true;
            }
}

/* ---- clues that are enough ------------------------------------------------------------------- */

static bool solves(const clue *clues, size_t n_clues, size_t n)
{
    known k[DEDUCE_MOST];
    size_t i, place, n_placed = 0;
    for (i = 0; i < n; i++)
        k[i] = ((known)1 << n) - 1;
    for (i = 0; i < n_clues; i++)
        if (clues[i].is == CLUE_AT)
            k[clues[i].a] = (known)1 << clues[i].b;
    for (bool told = true; told;) {
        told = deduce_eliminate(k, n, &i, &place);
        if (told)
            k[i] = (known)1 << place;
        for (i = 0; i < n_clues && !told; i++)
            told = clues[i].is == CLUE_BEFORE && deduce_apply(&clues[i], k, n);
    }
    for (i = 0; i < n; i++)
        n_placed += deduce_is_one(k[i]);
    return n_placed == n;
}

/* Up to half of the places, then every pair, at random; all pairs together are enough. */
static size_t candidates(const size_t *order, size_t n, rdv_rng *rng, clue *out)
{
    size_t picked[DEDUCE_MOST], n_at = rdv_rng_below(rng, n / 2 + 1), count = 0;
    words_draw(rng, n, n_at, picked);
    for (size_t i = 0; i < n_at; i++)
        out[count++] = (clue){CLUE_AT, order[picked[i]], picked[i]};
    size_t pairs = n * (n - 1) / 2, turn[DEDUCE_MOST_CLUES];
    words_draw(rng, pairs, pairs, turn);
    for (size_t i = 0; i < pairs; i++) {
        size_t a = 0, left = turn[i];
        for (; left >= n - 1 - a; a++)
            left -= n - 1 - a;
        out[count++] = (clue){CLUE_BEFORE, order[a], order[a + 1 + left]};
    }
    return count;
}

size_t deduce_draw_clues(const size_t *order, size_t n, rdv_rng *rng, clue *out)
{
    size_t count = candidates(order, n, rng, out);
    /* The last ones were drawn at random, so leaving out from the end is as good as any order. */
    for (size_t i = count; i > 0; i--) {
        clue without[DEDUCE_MOST_CLUES];
        memcpy(without, out, (i - 1) * sizeof *out);
        memcpy(without + i - 1, out + i, (count - i) * sizeof *out);
        if (solves(without, count - 1, n)) {
            memcpy(out, without, (count - 1) * sizeof *out);
            count--;
        }
    }
    size_t turn[DEDUCE_MOST_CLUES];
    clue mixed[DEDUCE_MOST_CLUES];
    words_draw(rng, count, count, turn);
    for (size_t i = 0; i < count; i++)
        mixed[i] = out[turn[i]];
    memcpy(out, mixed, count * sizeof *out);
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of quoted texts: their order, whether their items are those of an earlier list, and what is
 * said of their letters. */
#include "reward/checks.h"

#include "base/map.h"
#include "language/number_words.h"

typedef struct item {
    uint64_t hash;
    rdv_str text;
    size_t at, end; /* tokens */
} item;

/* The quotation that begins at token `i`, joined over its tokens. */
static item quotation(const tokens *t, size_t i)
{
    item q = {.at = i};
    size_t end = i;
    while (end + 1 < t->n && !t->of[end].last && t->of[end + 1].quoted)
        end++;
    const char *from = t->of[i].text.p;
    q.text = (rdv_str){from, (size_t)(t->of[end].text.p + t->of[end].text.len - from)};
    q.end = end + 1;
    for (size_t k = i; k <= end; k++)
        q.hash = q.hash * 0x100000001b3u ^ t->of[k].hash;
    return q;
}

static void listing_add(listing *l, uint64_t hash)
{
    l->sum += hash * 0x9e3779b97f4a7c15u;
    l->run = l->run * 0x100000001b3u + hash;
    l->n++;
}

static void remember(listings *l, const listing *one)
{
    if (one->n >= 2)
        l->of[l->n++ % MAX_LISTINGS] = *one;
}

/* Whether some earlier listing, or the question, has these items and no others. */
static bool known(const listings *l, const listing *one)
{
    if (l->asked.n == one->n && l->asked.sum == one->sum)
        return true;
    size_t n = l->n < MAX_LISTINGS ? l->n : MAX_LISTINGS;
    for (size_t i = 0; i < n; i++)
        if (l->of[i].n == one->n && l->of[i].sum == one->sum)
            return true;
    return false;
}

void check_lists_begin(listings *l, const tokens *question)
{
    *l = (listings){0};
    for (size_t i = 0; i < question->n; i++)
        if (question->of[i].is == TOKEN_WORD)
            listing_add(&l->asked, question->of[i].hash);
}

/* ---- chains of '<' --------------------------------------------------------------------------- */

/* What one side of '<' names: its quoted items, lowest and highest, and the number before it. */
typedef struct side {
    rdv_str low, high;
    double number;
    bool numbered;
} side;

static int compare_texts(rdv_str a, rdv_str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < n; i++) {
        char x = rdv_lower(a.p[i]), y = rdv_lower(b.p[i]);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return a.len < b.len ? -1 : a.len > b.len;
}

static void side_add(side *s, rdv_str text)
{
    if (!s->low.p || compare_texts(text, s->low) < 0)
        s->low = text;
    if (!s->high.p || compare_texts(text, s->high) > 0)
        s->high = text;
}

/* "(12)" at token `i`. */
static bool numbered(const tokens *t, size_t i, double *number)
{
    if (i + 2 >= t->n || !is_mark(&t->of[i], '(') || t->of[i + 1].is != TOKEN_NUMBER ||
        !is_mark(&t->of[i + 2], ')'))
        return false;
    *number = t->of[i + 1].number;
    return true;
}

/* One side at *i, which is moved past it. False: there is none. */
static bool read_side(const tokens *t, size_t *i, side *s, listing *items)
{
    size_t at = *i;
    *s = (side){0};
    s->numbered = numbered(t, at, &s->number);
    at += s->numbered ? 3 : 0;
    bool group = at < t->n && is_mark(&t->of[at], '[');
    at += group;
    while (at < t->n && t->of[at].quoted) {
        item q = quotation(t, at);
        side_add(s, q.text);
        listing_add(items, q.hash);
        at = q.end;
        if (!group || at >= t->n || !(is_mark(&t->of[at], '?') || is_mark(&t->of[at], ',')))
            break;
        at++;
    }
    at += group && at < t->n && is_mark(&t->of[at], ']');
    if (!s->low.p)
        return false;
    *i = at;
    return true;
}

static void judge_order(const side *a, const side *b, tally *order)
{
    bool well = compare_texts(a->high, b->low) <= 0;
    if (a->numbered && b->numbered)
        well = well && a->number < b->number;
    *(well ? &order->held : &order->broken) += 1;
}

/* The same item twice in one chain: 1, else 0; or RDV_E_NOMEM. */
static int repeats(const tokens *t, size_t from, size_t to, rdv_arena *arena)
{
    feature_set set = {.arena = arena};
    for (size_t i = from; i < to;) {
        if (!t->of[i].quoted) {
            i++;
            continue;
        }
        item q = quotation(t, i);
        if (feature_set_last(&set, q.hash) != FEATURE_SET_NEVER)
            return 1;
        if (feature_set_add(&set, q.hash, 0) < 0)
            return RDV_E_NOMEM;
        i = q.end;
    }
    return 0;
}

/* A chain at token *end, which becomes its end, or stays if there is none. */
static int read_chain(listings *l, const tokens *t, size_t *end, rdv_arena *arena,
                      listing_found *out)
{
    size_t i = *end;
    listing all = {0};
    side before, next;
    size_t at = i, sides = 1;
    if (!read_side(t, &at, &before, &all))
        return RDV_OK;
    while (at + 1 < t->n && is_mark(&t->of[at], '<')) {
        size_t behind = at + 1;
        if (!read_side(t, &behind, &next, &all))
            break;
        judge_order(&before, &next, &out->order);
        before = next;
        at = behind;
        sides++;
    }
    if (sides < 2)
        return RDV_OK;
    int twice = repeats(t, i, at, arena);
    if (twice < 0)
        return twice;
    *(known(l, &all) && !twice ? &out->same.held : &out->same.broken) += 1;
    remember(l, &all);
    l->chain = all;
    *end = at;
    return RDV_OK;
}

/* ---- groups, and all that a step quotes ------------------------------------------------------ */

static void read_group(listings *l, const tokens *t, size_t i)
{
    side s;
    listing items = {0};
    if (read_side(t, &i, &s, &items))
        remember(l, &items);
}

/* The ordinal before "letter" in the step, from 1; 0: none is named. */
static size_t letter_meant(const tokens *t)
{
    unsigned place;
    for (size_t i = 0; i + 1 < t->n; i++)
        if (t->of[i].is == TOKEN_WORD && ordinal_word(t->of[i].text, &place) &&
            (is_word(&t->of[i + 1], "letter") || is_word(&t->of[i + 1], "letters")))
            return place;
    return 0;
}

static bool has_letter(rdv_str word, char c, size_t place)
{
    if (place)
        return place <= word.len && rdv_lower(word.p[place - 1]) == c;
    for (size_t i = 0; i < word.len; i++)
        if (rdv_lower(word.p[i]) == c)
            return true;
    return false;
}

/* `"word": "x" (24)`: x is a letter of word, and the 24th of the alphabet. */
static void judge_spelling(const tokens *t, const item *word, size_t place, tally *out)
{
    size_t i = word->end;
    if (i + 1 >= t->n || !is_mark(&t->of[i], ':') || !t->of[i + 1].quoted)
        return;
    item letter = quotation(t, i + 1);
    if (letter.text.len != 1 || !rdv_is_alpha(letter.text.p[0]))
        return;
    char c = rdv_lower(letter.text.p[0]);
    double number;
    bool well = has_letter(word->text, c, place);
    if (numbered(t, letter.end, &number))
        well = well && number == (double)(c - 'a' + 1);
    *(well ? &out->held : &out->broken) += 1;
}

/* Unquoted words after "answer is" that are an earlier chain's items: in the same order? */
static void judge_answer(const listings *l, const tokens *t, size_t i, tally *out)
{
    listing answer = {0};
    for (; i < t->n; i++)
        if (t->of[i].is == TOKEN_WORD)
            listing_add(&answer, t->of[i].hash);
    if (l->chain.n >= 2 && answer.n >= 2)
        *(answer.run == l->chain.run ? &out->held : &out->broken) += 1;
}

int check_lists_step(listings *l, const tokens *step, rdv_arena *arena, listing_found *out)
{
    size_t place = letter_meant(step);
    listing quoted = {0};
    bool answered = false;
    *out = (listing_found){0};
    for (size_t i = 0, chained = 0; i < step->n; i++) {
        if (i >= chained) {
            chained = i;
            if (read_chain(l, step, &chained, arena, out) < 0)
                return RDV_E_NOMEM;
        }
        if (is_mark(&step->of[i], '['))
            read_group(l, step, i);
        if (!answered && is_word(&step->of[i], "answer") && i + 1 < step->n &&
            is_word(&step->of[i + 1], "is")) {
            answered = true;
            judge_answer(l, step, i + 2, &out->answer);
        }
        if (!step->of[i].quoted)
            continue;
        item q = quotation(step, i);
        judge_spelling(step, &q, place, &out->spelling);
        if (q.text.len > 1)
            listing_add(&quoted, q.hash);
        i = q.end - 1;
    }
    remember(l, &quoted);
    return RDV_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The words of orders. Places count from the left, the newest, the cheapest, the first, the
 * tallest; which end is which does not matter as long as all words of one question agree. */
#include "task/follow_deduction.h"

#define MAX_DIRECTION 80 /* bytes from "left" to the colon in "from left to right, we have:" */

/* Which way a word counts: from the front, or from the back. */
typedef struct way {
    const char *phrase;
    bool front;
} way;

static const way ends[] = {{"leftmost", true},        {"rightmost", false},
                           {"from the left", true},   {"from the right", false},
                           {"newest", true},          {"oldest", false},
                           {"least expensive", true}, {"most expensive", false},
                           {"cheapest", true},        {"dearest", false},
                           {"tallest", true},         {"shortest", false},
                           {"to last", false},        {"from last", false},
                           {"from the front", true},  {"from the back", false},
                           {"from the top", true},    {"from the bottom", false},
                           {"last", false},           {NULL, false}};

static const way relations[] = {{"to the left of", true},
                                {"to the right of", false},
                                {"left of", true},
                                {"right of", false},
                                {"newer than", true},
                                {"older than", false},
                                {"less expensive than", true},
                                {"more expensive than", false},
                                {"cheaper than", true},
                                {"dearer than", false},
                                {"taller than", true},
                                {"shorter than", false},
                                {"above", true},
                                {"below", false},
                                {"before", true},
                                {"after", false},
                                {"ahead of", true},
                                {"behind", false},
                                {NULL, false}};

/* "from most to least expensive" */
static const way directions[] = {
    {"left", true},  {"right", false}, {"first", true}, {"most expensive", false},
    {"most", false}, {"least", true},  {"top", true},   {"bottom", false},
    {"front", true}, {"back", false},  {NULL, false}};

static const char *const articles[] = {"the", "a", "an", NULL};
static const char *const pronouns[] = {"it", "they", "he", "she", NULL};
static const char *const modals[] = {"must be",      "must have finished",
                                     "must finish",  "must have come in",
                                     "must come in", "has to be",
                                     "have to be",   "is",
                                     "are",          "was",
                                     "were",         "finished",
                                     "came in",      "comes in",
                                     "can only be",  NULL};
static const char *const negations[] = {"cannot be",
                                        "can not be",
                                        "can't be",
                                        "cannot have finished",
                                        "could not have finished",
                                        "cannot finish",
                                        "did not finish",
                                        "is not",
                                        "are not",
                                        "cannot have come in",
                                        "must not be",
                                        "isn't",
                                        "cannot come in",
                                        NULL};
static const char *const possible[] = {"can be",
                                       "could be",
                                       "may be",
                                       "might be",
                                       "can finish",
                                       "could have finished",
                                       "may have finished",
                                       NULL};
/* Words after a claim that make it another one. */
static const char *const reversals[] = {"or", "unless", "if", "nor", NULL};

static bool scan_way(scan *c, const way *table, bool *front)
{
    for (; table->phrase; table++)
        if (follow_scan_phrase(c, table->phrase)) {
            *front = table->front;
            return true;
        }
    return false;
}

/* An object's name, with its article. */
static bool object_at(const order_words *w, scan *c, size_t *object)
{
    scan at = *c, best = *c;
    bool found = false;
    follow_scan_one_of(&at, articles);
    follow_scan_end(&at);
    for (size_t i = 0; i < w->n; i++) {
        rdv_str name = w->names[i];
        size_t end = at.at + name.len;
        if (!rdv_istarts(rdv_slice(at.s, at.at, at.s.len), name) || (found && end <= best.at) ||
            (end < at.s.len && (rdv_is_alnum(at.s.p[end]) || (unsigned char)at.s.p[end] >= 0x80)))
            continue;
        best.at = end;
        *object = i;
        found = true;
    }
    *c = best;
    return found;
}

/* "book" or "books" among books. A noun of another kind would say something that is not read. */
static bool scan_noun(const order_words *w, scan *c)
{
    scan at = *c;
    rdv_str noun;
    if (!follow_scan_word(&at, &noun) || noun.len < 3 || !rdv_istarts(w->kind, noun) ||
        w->kind.len > noun.len + 2)
        return false;
    *c = at;
    return true;
}

/* The same, or a word for what stands in a place, or for the place itself. */
static bool scan_place_noun(const order_words *w, scan *c)
{
    static const char *const nouns[] = {"place", "position", "object", "person", "one", NULL};
    return scan_noun(w, c) || follow_scan_one_of(c, nouns) != RDV_NOT_FOUND;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* "third", "third from the left", "second-newest", "rightmost", "second to last", "middle" */
static bool scan_place(const order_words *w, scan *c, size_t *place)
{
    size_t n = w->n;
    scan at = *c;
    size_t k = 1;
    bool front = true;
    follow_scan_one_of(&at, articles);
    if (follow_scan_phrase(&at, "middle") || follow_scan_phrase(&at, "in the middle")) {
        *place = n / 2;
        *c = at;
        return n % 2;
    }
    bool counted = follow_scan_ordinal(&at, &k);
    if (counted && at.at < at.s.len && at.s.p[at.at] == '-') /* "third-newest" */
        at.at++;
    scan behind = at;
    bool named = scan_way(&at, ends, &front);
    if (counted && !named && scan_place_noun(w, &behind)) { /* "second book from the left" */
        scan from = behind;
        named = follow_scan_phrase(&from, "from the") && scan_way(&behind, ends, &front);
        at = named ? behind : at;
    }
    if ((!counted && !named) || k > n)
        return false;
    *place = front ? k - 1 : n - k;
    *c = at;
    return true;
}

/* ", second, third or fourth" after a place: nothing is taken unless an "or" comes. */
static void scan_more_places(const order_words *w, scan *c, order_set *set)
{
    order_set more = 0;
    size_t place;
    for (scan at = *c;;) {
        follow_scan_char(&at, ',');
        bool last = follow_scan_phrase(&at, "or");
        if (!scan_place(w, &at, &place))
            return;
        more |= (order_set)1 << place;
        if (!last)
            continue;
        *set |= more;
        *c = at;
    }
}

/* One place or more with "or" between; "third or higher" is all from there on. */
static bool scan_places(const order_words *w, scan *c, order_set *set)
{
    size_t n = w->n;
    static const char *const better[] = {"or higher", "or better", "or above", NULL};
    static const char *const worse[] = {"or lower", "or worse", "or below", NULL};
    scan at = *c;
    size_t place;
    follow_scan_phrase(&at, "either");
    follow_scan_phrase(&at, "in");
    if (!scan_place(w, &at, &place))
        return false;
    *set = (order_set)1 << place;
    if (follow_scan_one_of(&at, better) != RDV_NOT_FOUND)
        *set = ((order_set)2 << place) - 1;
    else if (follow_scan_one_of(&at, worse) != RDV_NOT_FOUND)
        *set = (((order_set)1 << n) - 1) & ~(((order_set)1 << place) - 1);
    else
        scan_more_places(w, &at, set);
    scan_place_noun(w, &at); /* "the third book", "fifth place" */
    *c = at;
    return true;
}

/* ---- claims ---------------------------------------------------------------------------------- */

typedef enum mood { MOOD_NONE, MOOD_IS, MOOD_NOT, MOOD_CAN } mood;

static mood scan_mood(scan *c)
{
    if (follow_scan_one_of(c, negations) != RDV_NOT_FOUND)
        return MOOD_NOT;
    if (follow_scan_one_of(c, modals) != RDV_NOT_FOUND)
        return MOOD_IS;
    return follow_scan_one_of(c, possible) != RDV_NOT_FOUND ? MOOD_CAN : MOOD_NONE;
}

static bool scan_subject(const order_words *w, scan *c, size_t *object)
{
    if (object_at(w, c, object))
        return true;
    *object = w->subject;
    return w->subject < w->n && follow_scan_one_of(c, pronouns) != RDV_NOT_FOUND;
}

/* What stands after "X is". */
static bool scan_predicate(const order_words *w, scan *c, size_t subject, mood m, order_claim *out)
{
    bool front;
    size_t other;
    order_set all = ((order_set)1 << w->n) - 1;
    scan at = *c;
    *out = (order_claim){.a = subject, .possible = m == MOOD_CAN};
    if (scan_way(&at, relations, &front) && object_at(w, &at, &other) && other != subject) {
        out->is = ORDER_BEFORE;
        out->a = front == (m != MOOD_NOT) ? subject : other;
        out->b = out->a == subject ? other : subject;
        *c = at;
        return true;
    }
    if (!scan_places(w, c, &out->set))
        return false;
    out->is = ORDER_IN;
    if (m == MOOD_NOT)
        out->set = all & ~out->set;
    return true;
}

/* One object or more with "or" between. */
static bool scan_objects(const order_words *w, scan *c, order_set *set)
{
    scan at = *c;
    size_t object;
    *set = 0;
    follow_scan_phrase(&at, "also");
    follow_scan_phrase(&at, "either");
    while (object_at(w, &at, &object)) {
        *set |= (order_set)1 << object;
        *c = at;
        follow_scan_char(&at, ',');
        if (!follow_scan_phrase(&at, "or"))
            follow_scan_phrase(&at, "and");
    }
    return *set != 0;
}

/* "the second-cheapest fruit must be X or Y", "the person who finished first is X" */
static bool scan_holder(const order_words *w, scan *c, order_claim *out)
{
    scan at = *c;
    follow_scan_phrase(&at, "the person who finished");
    follow_scan_phrase(&at, "the golfer who finished");
    *out = (order_claim){.is = ORDER_HOLDS};
    if (!scan_place(w, &at, &out->a))
        return false;
    scan verb = at;
    mood m = scan_mood(&at);
    if (m == MOOD_NONE) {
        at = verb;
        if (!scan_place_noun(w, &at))
            return false;
        m = scan_mood(&at);
    }
    if (m == MOOD_NONE || !scan_objects(w, &at, &out->set))
        return false;
    if (m == MOOD_NOT)
        out->set = (((order_set)1 << w->n) - 1) & ~out->set;
    out->possible = m == MOOD_CAN;
    *c = at;
    return true;
}

/* "there are two fruits that are more expensive than X", "there are five golfers in total" */
static bool scan_count_of(const order_words *w, scan *c, order_claim *out)
{
    static const char *const relative[] = {"that are", "that is", "which are", "which is", NULL};
    scan at = *c;
    size_t count, object;
    bool front;
    if (!follow_scan_phrase(&at, "there are only"))
        if (!follow_scan_phrase(&at, "there are"))
            follow_scan_phrase(&at, "there is");
    follow_scan_phrase(&at, "a total of");
    if (!follow_scan_count(&at, &count) || !scan_place_noun(w, &at))
        return false;
    *out = (order_claim){.is = ORDER_OF_N, .a = count};
    if (follow_scan_phrase(&at, "in total")) {
        *c = at;
        return true;
    }
    follow_scan_one_of(&at, relative);
    if (!scan_way(&at, relations, &front) || !object_at(w, &at, &object) || count >= w->n)
        return false;
    size_t place = front ? count : w->n - 1 - count;
    *out = (order_claim){.is = ORDER_IN, .a = object, .set = (order_set)1 << place};
    *c = at;
    return true;
}

static bool ends_well(const scan *c)
{
    scan at = *c;
    return follow_scan_one_of(&at, reversals) == RDV_NOT_FOUND;
}

bool follow_order_claim(order_words *w, scan *c, order_claim *out)
{
    scan at = *c;
    size_t subject;
    if (scan_subject(w, &at, &subject)) {
        mood m = scan_mood(&at);
        if (m != MOOD_NONE && scan_predicate(w, &at, subject, m, out) && ends_well(&at)) {
            w->subject = subject;
            *c = at;
            return true;
        }
    }
    at = *c;
    if (!scan_holder(w, &at, out)) {
        at = *c;
        if (!scan_count_of(w, &at, out))
            return false;
    }
    if (!ends_well(&at))
        return false;
    *c = at;
    return true;
}

/* ---- whole orders ---------------------------------------------------------------------------- */

static bool scan_end(scan *c, bool *front)
{
    follow_scan_phrase(c, "the");
    return scan_way(c, ends, front) || scan_way(c, directions, front);
}

bool follow_order_direction(scan *c, bool *forward, rdv_str *said)
{
    scan at = *c;
    bool other;
    if (!follow_scan_phrase(&at, "from") || !scan_end(&at, forward))
        return false;
    scan to = at;
    if (follow_scan_phrase(&to, "to") && scan_end(&to, &other) && other != *forward) {
        follow_scan_phrase(&to, "expensive"); /* "from most to least expensive" */
        at = to;
    }
    *said = rdv_slice(at.s, c->at, at.at);
    size_t colon = rdv_find_char(rdv_slice(at.s, 0, at.at + MAX_DIRECTION), ':', at.at);
    if (colon == RDV_NOT_FOUND)
        return false;
    c->at = colon + 1;
    return true;
}

/* "first, second, and third", "third to fifth", "third or fourth" */
static bool scan_slot_places(scan *c, size_t n, order_slot *out)
{
    size_t k, next;
    if (!follow_scan_ordinal(c, &k))
        return false;
    for (;;) {
        if (out->n_places == n)
            return false;
        out->beyond |= k > n;
        if (k <= n)
            out->places[out->n_places++] = k - 1;
        scan at = *c;
        follow_scan_char(&at, ',');
        bool range = follow_scan_phrase(&at, "to") || follow_scan_phrase(&at, "through");
        bool either = !range && follow_scan_phrase(&at, "or");
        if (!range && !either)
            follow_scan_phrase(&at, "and");
        if (!follow_scan_ordinal(&at, &next))
            return true;
        out->either |= either;
        for (; range && k + 1 < next && k < n && out->n_places < n; k++)
            out->places[out->n_places++] = k;
        k = next;
        *c = at;
    }
}

/* "a book" among books. */
static bool scan_kind(const order_words *w, scan *c)
{
    static const char *const some[] = {"a", "an", "some", "one of the", NULL};
    scan at = *c;
    if (follow_scan_one_of(&at, some) == RDV_NOT_FOUND || !scan_noun(w, &at))
        return false;
    *c = at;
    return true;
}

bool follow_order_slot(const order_words *w, scan *c, order_slot *out)
{
    static const char *const verbs[] = {"is",     "are",         "can be",   "must be", "could be",
                                        "may be", "can only be", "might be", "can",     NULL};
    static const char *const any[] = {"any of the", "any", "also any", "an unknown", NULL};
    static const char *const open[] = {"the remaining", "one of the remaining", "the other",
                                       "the rest", NULL};
    *out = (order_slot){0};
    while (follow_scan_phrase(c, "and") || follow_scan_phrase(c, "then") ||
           follow_scan_phrase(c, "but") || follow_scan_phrase(c, "the") ||
           follow_scan_char(c, ',') || follow_scan_char(c, ';'))
        continue;
    if (!scan_slot_places(c, w->n, out))
        return false;
    scan verb = *c;
    if (follow_scan_one_of(c, verbs) == RDV_NOT_FOUND) { /* "the fifth bird is" */
        *c = verb;
        if (!scan_place_noun(w, c) || follow_scan_one_of(c, verbs) == RDV_NOT_FOUND)
            return false;
    }
    scan unknown = *c; /* "unknown books" */
    if (follow_scan_phrase(&unknown, "unknown") && scan_noun(w, &unknown)) {
        out->is = ORDER_SLOT_ANY;
        *c = unknown;
        return true;
    }
    if (scan_objects(w, c, &out->objects))
        out->is = ORDER_SLOT_HELD;
    else if (follow_scan_one_of(c, any) != RDV_NOT_FOUND)
        out->is = ORDER_SLOT_ANY;
    else if (scan_place(w, c, &out->place))
        out->is = ORDER_SLOT_SELF;
    else if (follow_scan_one_of(c, open) != RDV_NOT_FOUND || scan_kind(w, c))
        out->is = ORDER_SLOT_OPEN;
    else
        return false;
    scan_place_noun(w, c); /* "any book", "the rest" */
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading who has what and who swaps with whom. People go by name or, where that is plain, by
 * initial. What they have goes by the question's words, or by a part of them that only one has. */
#include "language/word_class.h"
#include "task/follow_shuffled.h"

static const char *const swap_verbs[] = {"swap",     "swaps",    "swapped",   "switch",
                                         "switches", "switched", "trade",     "trades",
                                         "traded",   "exchange", "exchanged", NULL};
static const char *const has_verbs[] = {"has",
                                        "have",
                                        "gets",
                                        "got",
                                        "is playing",
                                        "is dancing with",
                                        "is holding",
                                        "dances with",
                                        "plays",
                                        "holds",
                                        "wears",
                                        "now has",
                                        "will have",
                                        "ends up with",
                                        "is now playing",
                                        "is now dancing with",
                                        "prepares",
                                        "tends",
                                        "is with",
                                        "had",
                                        "buys",
                                        NULL};
static const char *const articles[] = {"a", "an", "the", NULL};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The person that a word names. */
static size_t person(const shuffle *s, rdv_str word)
{
    size_t found = SHUFFLE_NOBODY;
    for (size_t i = 0; i < s->n; i++)
        if (rdv_str_ieq(s->names[i], word))
            return i;
    if (word.len != 1 || !is_upper(word.p[0]))
        return SHUFFLE_NOBODY;
    for (size_t i = 0; i < s->n; i++)
        if (s->names[i].p[0] == word.p[0]) {
            if (found != SHUFFLE_NOBODY)
                return SHUFFLE_NOBODY;
            found = i;
        }
    return found;
}

/* The next word as a person; nothing is consumed otherwise. */
static bool scan_person(const shuffle *s, scan *c, size_t *who)
{
    scan at = *c;
    rdv_str word;
    if (!follow_scan_word(&at, &word))
        return false;
    if (word.len > 2 && rdv_ends(word, RDV_STR("'s")))
        word.len -= 2;
    *who = person(s, word);
    if (*who == SHUFFLE_NOBODY)
        return false;
    *c = at;
    return true;
}

/* ---- things ---------------------------------------------------------------------------------- */

static rdv_str without_article(rdv_str text)
{
    scan c = {.s = rdv_trim(text)};
    if (follow_scan_one_of(&c, articles) == RDV_NOT_FOUND)
        return c.s;
    return rdv_trim(rdv_slice(c.s, c.at, c.s.len));
}

/* Does `part` stand in `whole` as whole words? */
static bool stands_in(rdv_str whole, rdv_str part)
{
    for (size_t at = 0; (at = rdv_ifind(whole, part, at)) != RDV_NOT_FOUND; at++) {
        size_t end = at + part.len;
        if ((at == 0 || !rdv_is_alnum(whole.p[at - 1])) &&
            (end == whole.len || !rdv_is_alnum(whole.p[end])))
            return true;
    }
    return false;
}

static size_t only_one(const shuffle *s, rdv_str text, bool inside)
{
    size_t found = SHUFFLE_NOBODY;
    for (size_t i = 0; i < s->n; i++) {
        bool fits = inside ? stands_in(s->things[i], text) : stands_in(text, s->things[i]);
        if (fits && found != SHUFFLE_NOBODY)
            return SHUFFLE_NOBODY;
        if (fits)
            found = i;
    }
    return found;
}

size_t follow_shuffle_thing(const shuffle *s, rdv_str text)
{
    text = without_article(text);
    while (text.len && (text.p[text.len - 1] == '.' || text.p[text.len - 1] == '"'))
        text.len--;
    while (text.len && text.p[0] == '"')
        text = rdv_slice(text, 1, text.len);
    if (text.len < 2)
        return SHUFFLE_NOBODY;
    for (size_t i = 0; i < s->n; i++)
        if (follow_scan_same(s->things[i], text))
            return i;
    size_t found = only_one(s, text, true);
    return found != SHUFFLE_NOBODY ? found : only_one(s, text, false);
}

/* Up to a comma, a full stop or a line's end. A stop within a word ("Mr.X") does not end it. */
static rdv_str until_mark(scan *c)
{
    size_t begin = c->at;
    while (c->at < c->s.len) {
        char x = c->s.p[c->at], next = c->at + 1 < c->s.len ? c->s.p[c->at + 1] : ' ';
        if (x == ',' || x == ';' || x == '\n' || x == ':' || (x == '.' && rdv_is_space(next)))
            break;
        c->at++;
    }
    return rdv_trim(rdv_slice(c->s, begin, c->at));
}

/* ---- the question ---------------------------------------------------------------------------- */

static bool add_person(shuffle *s, rdv_str name, rdv_str thing)
{
    thing = without_article(thing);
    while (thing.len && thing.p[thing.len - 1] == '.')
        thing.len--;
    if (s->n == SHUFFLE_MAX_PEOPLE || !thing.len)
        return false;
    s->names[s->n] = name;
    s->things[s->n++] = thing;
    return true;
}

/* Cut "... and NAME has ..." off a thing, and go back to there. */
static rdv_str one_thing(const shuffle *s, scan *c, rdv_str thing)
{
    size_t and = rdv_find(thing, RDV_STR(" and "), 0), who;
    rdv_str word;
    for (; and != RDV_NOT_FOUND; and = rdv_find(thing, RDV_STR(" and "), and+1)) {
        scan next = {.s = rdv_slice(thing, and+5, thing.len)}, known = next;
        bool named = follow_scan_word(&next, &word) && is_upper(word.p[0]) &&
                     follow_scan_one_of(&next, has_verbs) != RDV_NOT_FOUND;
        if (!named && !scan_person(s, &known, &who))
            continue;
        c->at = (size_t)(thing.p - c->s.p) + and;
        return rdv_slice(thing, 0, and);
    }
    return thing;
}

/* All of "NAME has a THING, NAME has a THING, and ...". */
static bool read_start(scan *c, shuffle *s)
{
    rdv_str name;
    while (!follow_scan_end(c)) {
        if (!follow_scan_word(c, &name)) {
            c->at++;
            continue;
        }
        scan verb = *c;
        if (!is_upper(name.p[0]) || person(s, name) != SHUFFLE_NOBODY ||
            follow_scan_one_of(&verb, has_verbs) == RDV_NOT_FOUND)
            continue;
        *c = verb;
        rdv_str thing = until_mark(c);
        if (!add_person(s, name, one_thing(s, c, thing)))
            return false;
    }
    return s->n > 1;
}

/* "A and B swap", or in short "A B:". */
static bool scan_swap(const shuffle *s, scan *c, shuffle_swap *out)
{
    scan at = *c;
    if (!scan_person(s, &at, &out->a))
        return false;
    bool joined = follow_scan_phrase(&at, "and") || follow_scan_char(&at, '&');
    if (!scan_person(s, &at, &out->b) || out->a == out->b)
        return false;
    if (follow_scan_one_of(&at, swap_verbs) == RDV_NOT_FOUND &&
        (joined || follow_scan_peek(&at) != ':'))
        return false;
    *c = at;
    return true;
}

static bool read_swaps(rdv_str text, shuffle *s)
{
    scan c = {.s = text};
    rdv_str word;
    shuffle_swap swap;
    while (!follow_scan_end(&c)) {
        if (scan_swap(s, &c, &swap)) {
            if (s->n_swaps == SHUFFLE_MAX_SWAPS)
                return false;
            s->swaps[s->n_swaps++] = swap;
        } else if (!follow_scan_word(&c, &word)) {
            c.at++;
        }
    }
    return s->n_swaps > 0;
}

/* The last person named, in "At the end of the game, Eve has the". */
static size_t last_person(const shuffle *s, rdv_str text)
{
    size_t who = SHUFFLE_NOBODY, found = SHUFFLE_NOBODY;
    rdv_str word;
    for (scan c = {.s = text}; !follow_scan_end(&c);) {
        if (scan_person(s, &c, &who))
            found = who;
        else if (!follow_scan_word(&c, &word))
            c.at++;
    }
    return found;
}

bool follow_shuffle_names_somebody(const shuffle *s, rdv_str text)
{
    return last_person(s, text) != SHUFFLE_NOBODY;
}

bool follow_shuffle_read_question(rdv_str text, shuffle *s)
{
    scan c = {.s = text};
    if (!read_start(&c, s) || !read_swaps(text, s))
        return false;
    for (size_t i = 0; i < s->n; i++)
        s->has[i] = i;
    s->asked = last_person(s, text);
    return s->asked != SHUFFLE_NOBODY;
}

/* ---- the steps ------------------------------------------------------------------------------- */

/* Words that turn "has the cup" into something else. */
static bool denies(rdv_str text)
{
    static const char *const turns[] = {"but", "except", "than", "or", "either", "instead", NULL};
    rdv_str word;
    for (scan c = {.s = text}; !follow_scan_end(&c);) {
        if (follow_scan_one_of(&c, turns) != RDV_NOT_FOUND)
            return true;
        if (!follow_scan_word(&c, &word))
            c.at++;
        else if (word_denies(word))
            return true;
    }
    return false;
}

/* Exactly a thing, or a part of one, as in "E Black, C Purple". */
static size_t named_thing(const shuffle *s, rdv_str text)
{
    text = without_article(text);
    for (size_t i = 0; i < s->n; i++)
        if (follow_scan_same(s->things[i], text))
            return i;
    return text.len < 2 ? SHUFFLE_NOBODY : only_one(s, text, true);
}

static bool scan_claim(const shuffle *s, scan *c, shuffle_claim *out)
{
    scan at = *c;
    if (!scan_person(s, &at, &out->who))
        return false;
    bool says = follow_scan_char(&at, ':') || follow_scan_char(&at, '=');
    says |= follow_scan_one_of(&at, has_verbs) != RDV_NOT_FOUND;
    out->read = rdv_slice(c->s, c->at, at.at);
    out->said = one_thing(s, &at, until_mark(&at));
    out->thing = says ? follow_shuffle_thing(s, out->said) : named_thing(s, out->said);
    if (!says && out->thing == SHUFFLE_NOBODY)
        return false;
    if (denies(out->said))
        out->thing = SHUFFLE_NOBODY;
    *c = at;
    return true;
}

static bool names_something(const shuffle *s, rdv_str word)
{
    if (word.len > 2 && rdv_ends(word, RDV_STR("'s")))
        word.len -= 2;
    bool thing = false;
    for (size_t i = 0; i < s->n && !thing; i++)
        thing = follow_scan_same(s->things[i], word);
    return thing || person(s, word) != SHUFFLE_NOBODY;
}

/* The next word is one of the question's and ends the clause: "swap balls:", "of the game,". */
static void read_noun(follow *f, const shuffle *s, scan c)
{
    rdv_str word;
    if (follow_scan_word(&c, &word) && !names_something(s, word) && !denies(word) &&
        stands_in(follow_question(&f->chain->question), word) &&
        (follow_scan_end(&c) || strchr(",;:.", c.s.p[c.at])))
        follow_read(f, word);
}

void follow_shuffle_read_thing(follow *f, const shuffle *s, rdv_str text, size_t thing)
{
    size_t len = s->things[thing].len, at = rdv_ifind(text, s->things[thing], 0);
    bool whole = at == RDV_NOT_FOUND || named_thing(s, text) == thing;
    follow_read(f, whole ? text : rdv_slice(text, at, at + len));
}

static void read_claim(follow *f, const shuffle *s, const shuffle_claim *claim)
{
    follow_read(f, claim->read);
    if (claim->thing != SHUFFLE_NOBODY)
        follow_shuffle_read_thing(f, s, claim->said, claim->thing);
}

void follow_shuffle_read_step(follow *f, const shuffle *s, rdv_str text, shuffle_said *out)
{
    scan c = {.s = text};
    rdv_str word;
    out->n_swaps = out->n_claims = 0;
    out->unread = (rdv_str){0};
    while (!follow_scan_end(&c)) {
        size_t from = c.at;
        if (out->n_swaps < SHUFFLE_MAX_SWAPS && scan_swap(s, &c, &out->swaps[out->n_swaps])) {
            out->n_swaps++;
            follow_read(f, rdv_slice(text, from, c.at));
            read_noun(f, s, c);
        } else if (out->n_claims < SHUFFLE_MAX_SWAPS &&
                   scan_claim(s, &c, &out->claims[out->n_claims])) {
            read_claim(f, s, &out->claims[out->n_claims++]);
        } else if (follow_scan_phrase(&c, "at the end of the")) {
            follow_read(f, rdv_slice(text, from, c.at));
            read_noun(f, s, c);
        } else if (!follow_scan_word(&c, &word))
            c.at++;
        else if (!out->unread.len && names_something(s, word))
            out->unread = word;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Where a reply says that the first mistake is. */
#include "method/read_location.h"

#include "base/str.h"
#include "method/read_words.h"

/* What a line or a sentence says. */
typedef enum saying {
    SAYS_NOTHING,
    SAYS_NONE, /* there is no mistake */
    SAYS_STEP, /* the mistake is at `step` */
    SAYS_BOTH  /* things that do not agree, or a step that does not exist */
} saying;

typedef struct location {
    saying is;
    size_t step; /* from 0 */
} location;

#define MOST_DIGITS 6

/* ---- tokens: words and whole numbers ---------------------------------------------------------
 */

typedef struct token {
    rdv_str text, gap;
    bool is_number;
    size_t number;
} token;

/* The number whose digits begin at byte `at`, or false where it is no whole number by itself:
 * "2.5", "3rd" and "x2" are none. */
static bool whole_number(rdv_str s, size_t at, token *t)
{
    size_t end = at;
    while (end < s.len && rdv_is_digit(s.p[end]))
        end++;
    t->text = rdv_slice(s, at, end);
    t->number = 0;
    bool decimal =
        end + 1 < s.len && (s.p[end] == '.' || s.p[end] == ',') && rdv_is_digit(s.p[end + 1]);
    bool part = at > 0 && (rdv_is_alnum(s.p[at - 1]) || s.p[at - 1] == '.' || s.p[at - 1] == '-');
    for (size_t i = at; i < end && end - at <= MOST_DIGITS; i++)
        t->number = t->number * 10 + (size_t)(s.p[i] - '0');
    t->is_number =
        end - at <= MOST_DIGITS && !decimal && !part && !(end < s.len && rdv_is_alpha(s.p[end]));
    return t->is_number;
}

/* Does a word begin at byte `i`? Looks at one character. */
static bool begins_word(rdv_str s, size_t i)
{
    size_t at = 0;
    rdv_str word, gap;
    if ((unsigned char)s.p[i] < 0x80)
        return rdv_is_alpha(s.p[i]);
    return read_next_word(rdv_slice(s, i, i + 4), &at, &word, &gap) && gap.len == 0;
}

/* The next word or number at or after byte *at, which is moved behind it. */
static bool next_token(rdv_str s, size_t *at, token *t)
{
    size_t begin = *at, i = begin;
    while (i < s.len && !rdv_is_digit(s.p[i]) && !begins_word(s, i))
        i++;
    *t = (token){.gap = rdv_slice(s, begin, i)};
    *at = i;
    if (i == s.len)
        return false;
    if (!rdv_is_digit(s.p[i]))
        return read_next_word(s, at, &t->text, NULL);
    t->is_number = whole_number(s, i, t);
    *at = i + t->text.len;
    return true;
}

static bool names_step(rdv_str word)
{
    static const char *const words[] = {"thought", "step", "thoughts", "steps", "line"};
    return READ_IS_ONE_OF(word, words);
}

static bool is_mistake(rdv_str word)
{
    static const char *const words[] = {"mistake", "mistakes", "error",
                                        "errors",  "mistaken", "flaw"};
    return READ_IS_ONE_OF(word, words);
}

static bool is_wrong(rdv_str word)
{
    static const char *const words[] = {"wrong",       "incorrect", "erroneous", "incorrectly",
                                        "mistakenly",  "wrongly",   "flawed",    "false",
                                        "erroneously", "invalid",   "faulty"};
    return is_mistake(word) || READ_IS_ONE_OF(word, words);
}

static bool is_right(rdv_str word)
{
    static const char *const words[] = {"right", "correct", "valid", "sound", "fine"};
    return READ_IS_ONE_OF(word, words);
}

static bool is_none(rdv_str word)
{
    static const char *const words[] = {"no", "none", "nowhere", "nothing"};
    return READ_IS_ONE_OF(word, words);
}

static location at_step(size_t shown, size_t n_steps)
{
    if (shown < 1 || shown > n_steps)
        return (location){.is = SAYS_BOTH};
    return (location){SAYS_STEP, shown - 1};
}

static location join(location a, location b)
{
    if (a.is == SAYS_NOTHING)
        return b;
    if (b.is == SAYS_NOTHING || (a.is == b.is && a.step == b.step))
        return a;
    return (location){.is = SAYS_BOTH};
}

/* ---- a line that is nothing but the answer ---------------------------------------------------
 */

/* "3", "Thought 3.", "**Answer: Step 3**", "The first mistake is in Thought 3", "No", "None.", "No
 * mistakes". What goes on behind the number, or begins a list entry ("Step 3: ..."), is not. */
static location bare(rdv_str line, size_t n_steps)
{
    static const char *const leads[] = {"answer", "the",   "first", "is",     "in",       "at",
                                        "final",  "so",    "it",    "my",     "a",        "an",
                                        "has",    "there", "are",   "with",   "location", "of",
                                        "which",  "that",  "index", "number", "occurs",   "was"};
    token t;
    bool none = false, found = false;
    size_t shown = 0;
    for (size_t at = 0; next_token(line, &at, &t);) {
        if (t.is_number && !found && !none)
            found = true, shown = t.number;
        else if (is_none(t.text) && !found && !none)
            none = true;
        else if (t.text.len && rdv_is_digit(t.text.p[0]))
            return (location){.is = SAYS_NOTHING};
        else if (!names_step(t.text) && !is_wrong(t.text) && !READ_IS_ONE_OF(t.text, leads))
            return (location){.is = SAYS_NOTHING};
    }
    return found ? at_step(shown, n_steps) : (location){.is = none ? SAYS_NONE : SAYS_NOTHING};
}

/* "First Error Step: Step 2", "Mistake: none": a label that names a mistake, then a colon. */
static location labelled(rdv_str line, size_t n_steps)
{
    static const char *const words[] = {"the",   "first",     "step", "thought", "location",
                                        "wrong", "incorrect", "of",   "number",  "index"};
    size_t colon = rdv_find_char(line, ':', 0);
    bool mistake = false;
    token t;
    if (colon == RDV_NOT_FOUND)
        return (location){.is = SAYS_NOTHING};
    rdv_str label = rdv_slice(line, 0, colon);
    for (size_t at = 0; next_token(label, &at, &t);) {
        mistake |= is_wrong(t.text);
        if (!is_mistake(t.text) && !READ_IS_ONE_OF(t.text, words))
            return (location){.is = SAYS_NOTHING};
    }
    rdv_str rest = rdv_trim(rdv_slice(line, colon + 1, line.len));
    if (mistake && rdv_istarts(rest, RDV_STR("n/a")))
        return (location){.is = SAYS_NONE};
    return mistake ? bare(rest, n_steps) : (location){.is = SAYS_NOTHING};
}

/* ---- a sentence ------------------------------------------------------------------------------
 */

/* What one clause holds. */
typedef struct clause {
    bool wrong, right, denied, all; /* `denied`: "no mistake", "not wrong" */
    bool spreads;                   /* "this error affects Step 3": of its consequences */
    size_t n_refs, first_ref;
} clause;

/* "second", "third": in words, behind which a thought is named. */
static size_t ordinal(rdv_str word)
{
    static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth",  "tenth"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (rdv_str_ieq(word, rdv_str_of(words[i])))
            return i + 1;
    return 0;
}

static bool ends_clause(rdv_str word, rdv_str gap)
{
    static const char *const words[] = {"but",     "because", "since",  "so",
                                        "however", "while",   "whereas"};
    return read_has_any(gap, ",;:") || READ_IS_ONE_OF(word, words);
}

/* "the first step with a mistake", "the first thought that is wrong" name no step. */
static bool goes_on(rdv_str sentence, size_t at)
{
    static const char *const words[] = {"with", "that", "to", "which", "where", "in", "is", "of"};
    rdv_str word;
    return read_next_word(sentence, &at, &word, NULL) && READ_IS_ONE_OF(word, words);
}

static void add_ref(clause *c, size_t shown)
{
    if (c->n_refs++ == 0)
        c->first_ref = shown;
}

static bool is_all(rdv_str word)
{
    static const char *const words[] = {"all", "every", "each"};
    return READ_IS_ONE_OF(word, words);
}

/* `before` and `earlier` are the two words before it. */
static void add_word(clause *c, rdv_str word, rdv_str before, rdv_str earlier, bool negated)
{
    static const char *const spread[] = {"affects",    "affecting", "affected", "leads",
                                         "leading",    "led",       "causes",   "causing",
                                         "propagates", "carries"};
    if (is_wrong(word)) {
        c->wrong |= !negated;
        c->denied |= negated;
    } else if (is_right(word)) {
        c->right |= !negated;
        c->wrong |= negated;
    }
    /* "all of the steps", "every thought", "they are all correct", "everything" */
    bool of_steps = names_step(word) && (is_all(before) || is_all(earlier));
    c->all |= of_steps || (is_right(word) && rdv_str_ieq(before, RDV_STR("all"))) ||
              rdv_str_ieq(word, RDV_STR("everything"));
    c->spreads |= READ_IS_ONE_OF(word, spread);
}

static location settle(const clause *c, size_t n_steps)
{
    if (c->wrong && !c->denied && !c->spreads && c->n_refs)
        return at_step(c->first_ref, n_steps);
    bool none =
        (c->denied && !c->wrong && !c->n_refs) || (c->right && c->all && !c->wrong && !c->n_refs);
    return (location){.is = none ? SAYS_NONE : SAYS_NOTHING};
}

#define NEGATION_REACH 4 /* words: "no obvious or hidden mistake" */

/* The first clause that claims a step decides; else the whole sentence, if it names one step. */
static location claimed(rdv_str sentence, size_t n_steps)
{
    clause c = {0}, whole = {0};
    location found = {.is = SAYS_NOTHING};
    token t, before = {0}, earlier = {0};
    size_t reach = 0;
    for (size_t at = 0; next_token(sentence, &at, &t); earlier = before, before = t) {
        if (ends_clause(t.text, t.gap)) {
            location l = settle(&c, n_steps);
            found = found.is == SAYS_STEP || l.is == SAYS_NOTHING ? found : l;
            c = (clause){0};
            reach = 0;
        }
        size_t nth = names_step(t.text) ? ordinal(before.text) : 0;
        bool ref = t.is_number && names_step(before.text) && !read_has_any(t.gap, "(");
        if (ref || (nth && !(nth == 1 && goes_on(sentence, at)))) {
            add_ref(&c, ref ? t.number : nth);
            add_ref(&whole, ref ? t.number : nth);
        }
        reach = read_is_not(t.text) ? NEGATION_REACH + 1 : reach;
        add_word(&c, t.text, before.text, earlier.text, reach > 0);
        add_word(&whole, t.text, before.text, earlier.text, reach > 0);
        reach -= reach > 0;
    }
    location l = settle(&c, n_steps);
    found = found.is == SAYS_STEP || l.is == SAYS_NOTHING ? found : l;
    if (found.is == SAYS_NOTHING && whole.n_refs == 1)
        found = settle(&whole, n_steps);
    return found;
}

/* The last sentences: of the steps that they claim the first counts, unless "no mistake" is said
 * besides. */
static location concluded(rdv_str reply, size_t n_steps)
{
    read_end end;
    rdv_str sentence;
    location found = {.is = SAYS_NOTHING};
    read_end_of(reply, &end);
    while (read_prev_sentence(&end, &sentence)) {
        location l = claimed(sentence, n_steps);
        if (l.is == SAYS_STEP && found.is == SAYS_STEP)
            found.step = l.step < found.step ? l.step : found.step;
        else
            found = join(found, l);
    }
    return found;
}

/* ---- the reply -------------------------------------------------------------------------------
 */

/* What its lines say that are nothing but a label and its value, or that stand first or last and
 * are nothing but a value. */
static location from_lines(rdv_str reply, size_t n_steps)
{
    location labels = {.is = SAYS_NOTHING}, first = labels, last = labels;
    rdv_str rest = reply, line;
    bool any = false;
    while (rest.len && rdv_next_line(&rest, &line)) {
        line = rdv_trim(line);
        if (!line.len)
            continue;
        labels = join(labels, labelled(line, n_steps));
        last = bare(line, n_steps);
        if (!any)
            first = last;
        any = true;
    }
    return labels.is != SAYS_NOTHING ? labels : join(first, last);
}

static int robust(rdv_str reply, size_t n_steps, size_t *first)
{
    location l = from_lines(reply, n_steps);
    location said = concluded(reply, n_steps);
    if (l.is == SAYS_NOTHING)
        l = said;
    else if (l.is == SAYS_NONE && said.is == SAYS_STEP)
        l.is = SAYS_BOTH; /* "No" and then a mistake */
    if (l.is != SAYS_NONE && l.is != SAYS_STEP)
        return RDV_NONE;
    *first = l.is == SAYS_STEP ? l.step : RDV_NO_STEP;
    return RDV_OK;
}

/* A number or "No", as was asked for. */
static int to_the_letter(rdv_str reply, size_t n_steps, size_t *first)
{
    while (reply.len && (read_is_any(reply.p[0], "\"'`") || rdv_is_space(reply.p[0])))
        reply = rdv_slice(reply, 1, reply.len);
    while (reply.len &&
           (read_is_any(reply.p[reply.len - 1], "\"'`.") || rdv_is_space(reply.p[reply.len - 1])))
        reply.len--;
    token t;
    size_t at = 0;
    if (rdv_str_ieq(reply, RDV_STR("no"))) {
        *first = RDV_NO_STEP;
        return RDV_OK;
    }
    if (!next_token(reply, &at, &t) || t.text.len != reply.len || !t.is_number)
        return RDV_NONE;
    location l = at_step(t.number, n_steps);
    if (l.is == SAYS_STEP)
        *first = l.step;
    return l.is == SAYS_STEP ? RDV_OK : RDV_NONE;
}

int read_location(rdv_str reply, rdv_profile profile, size_t n_steps, size_t *first)
{
    reply = rdv_slice(read_spoken(reply), 0, READ_LIST_BYTES);
    return profile == RDV_PAPER ? to_the_letter(reply, n_steps, first)
                                : robust(reply, n_steps, first);
}

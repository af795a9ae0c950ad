/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the location of the first mistake in a reply. */
#include "reply/location.h"

#include "base/str.h"
#include "reply/sentences.h"
#include "reply/words.h"

/* The statement of a line or a sentence. */
typedef enum saying {
    SAYS_NOTHING,
    SAYS_NONE, /* there is no mistake */
    SAYS_STEP, /* the mistake is at `step` */
    SAYS_BOTH  /* conflicting statements, or a step that does not exist */
} saying;

typedef struct location {
    saying is;
    size_t step; /* from 0 */
    rdv_str why; /* the part of the reply that states it */
    bool label;  /* it comes after a label */
} location;

#define MOST_DIGITS 6

/* ---- tokens: words and whole numbers --------------------------------------------------------- */

typedef struct token {
    rdv_str text, gap;
    bool is_number;
    size_t number;
} token;

/* Reads the number whose digits begin at byte `at`; false if it is not a whole number by itself, as
 * in "2.5", "3rd" and "x2". */
static bool whole_number(rdv_str s, size_t at, token *t)
{
    size_t end = rdv_skip_digits(s, at);
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

/* True if a word begins at byte `i`. Looks at one character. */
static bool begins_word(rdv_str s, size_t i)
{
    size_t at = 0;
    rdv_str word, gap;
    if ((unsigned char)s.p[i] < 0x80)
        return rdv_is_alpha(s.p[i]);
    return words_next(rdv_slice(s, i, i + 4), &at, &word, &gap) && gap.len == 0;
}

/* Gives the next word or number at or after byte *at, which is moved past it. */
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
        return words_next(s, at, &t->text, NULL);
    t->is_number = whole_number(s, i, t);
    *at = i + t->text.len;
    return true;
}

static bool names_step(rdv_str word)
{
    return words_in(word, "thought step thoughts steps line");
}

static bool is_mistake(rdv_str word)
{
    return words_in(word, "mistake mistakes error errors mistaken flaw flaws");
}

static bool is_wrong(rdv_str word)
{
    return is_mistake(word) || words_in(word, "wrong incorrect erroneous incorrectly mistakenly "
                                              "wrongly flawed false erroneously invalid faulty");
}

static bool is_right(rdv_str word)
{
    return words_in(word, "right correct valid sound fine");
}

static bool is_none(rdv_str word)
{
    return words_in(word, "no none nowhere nothing");
}

static location at_step(size_t shown, size_t n_steps)
{
    if (shown < 1 || shown > n_steps)
        return (location){.is = SAYS_BOTH};
    return (location){.is = SAYS_STEP, .step = shown - 1};
}

static location join(location a, location b)
{
    if (a.is == SAYS_NOTHING)
        return b;
    if (b.is == SAYS_NOTHING || (a.is == b.is && a.step == b.step))
        return a;
    return (location){.is = SAYS_BOTH};
}

/* ---- a line that is nothing but the answer --------------------------------------------------- */

/* Reads a line with only an answer: "3", "Thought 3.", "**Answer: Step 3**", "The first mistake is
 * in Thought 3", "No", "None.", "No mistakes". A line that goes on after the number, or begins a
 * list entry ("Step 3: ..."), is not one. */
static location bare(rdv_str line, size_t n_steps)
{
    static const char leads[] = "answer the first is in at final so it my a an has there are with "
                                "location of index number occurs was";
    token t;
    rdv_str before = {0};
    bool none = false, found = false, no = false; /* no: "No" followed by a word */
    size_t shown = 0, wrong = 0;
    if (words_has_any(line, "?") || rdv_starts(line, RDV_STR(">")))
        return (location){.is = SAYS_NOTHING};
    for (size_t at = 0; next_token(line, &at, &t);) {
        wrong += is_wrong(t.text);
        no |= none && words_in(before, "no") && t.gap.len == 1;
        before = t.text;
        if ((found || none) && is_wrong(t.text) &&
            words_has_any(t.gap, ".!")) /* "Thought 3. Wrong." */
            return (location){.is = SAYS_NOTHING};
        if (t.is_number && !found && !none)
            found = true, shown = t.number;
        else if (is_none(t.text) && !found && !none)
            none = true;
        else if (t.text.len && rdv_is_digit(t.text.p[0]))
            return (location){.is = SAYS_NOTHING};
        else if (!names_step(t.text) && !is_wrong(t.text) && !words_in(t.text, leads))
            return (location){.is = SAYS_NOTHING};
    }
    /* "It is false that Thought 3 is wrong"; "No answer" */
    if (wrong > 1 || (no && wrong == 0))
        return (location){.is = SAYS_NOTHING};
    return found ? at_step(shown, n_steps) : (location){.is = none ? SAYS_NONE : SAYS_NOTHING};
}

/* Reads "First Error Step: Step 2", "Mistake: none": a label that names a mistake, then a colon. */
static location labelled(rdv_str line, size_t n_steps)
{
    size_t colon = rdv_find_char(line, ':', 0);
    bool mistake = false;
    token t;
    if (colon == RDV_NOT_FOUND)
        return (location){.is = SAYS_NOTHING};
    rdv_str label = rdv_slice(line, 0, colon);
    for (size_t at = 0; next_token(label, &at, &t);) {
        mistake |= is_wrong(t.text);
        if (!is_mistake(t.text) &&
            !words_in(t.text, "the first step thought location wrong incorrect of number index"))
            return (location){.is = SAYS_NOTHING};
    }
    rdv_str rest = rdv_trim(rdv_slice(line, colon + 1, line.len));
    if (mistake && rdv_istarts(rest, RDV_STR("n/a")))
        return (location){.is = SAYS_NONE};
    return mistake ? bare(rest, n_steps) : (location){.is = SAYS_NOTHING};
}

/* ---- a sentence ------------------------------------------------------------------------------ */

/* The claim of one clause. */
typedef struct clause {
    bool wrong, right, denied, all; /* `denied`: "no mistake", "not wrong" */
    bool that;                      /* "that thought", "it": refers to the one mentioned before */
    bool spreads;                   /* "this error affects Step 3": describes its consequences */
    size_t n_refs, first_ref;
} clause;

/* "second", "third": ordinal words before a thought. */
static size_t ordinal(rdv_str word)
{
    static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth",  "tenth"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (rdv_str_ieq(word, rdv_str_of(words[i])))
            return i + 1;
    return 0;
}

static bool ends_clause(const sentence_word *w)
{
    return words_has_any(w->gap, ",;:") ||
           words_in(w->text, "but because since so however while whereas");
}

/* The thought that the word names, or 0: "Thought 3", "the third thought"; but not "the first
 * thought with a mistake", "the first step that is wrong". */
static size_t named(const sentence_word *w, rdv_str before)
{
    size_t at = 0, nth = ordinal(before);
    token t;
    if (!names_step(w->text))
        return 0;
    if (nth && !(nth == 1 && words_in(w->next, "with that to which where in is of")))
        return nth;
    rdv_str gap = w->next_gap;
    bool number = next_token(gap, &at, &t) && t.is_number && !words_has_any(t.gap, "(");
    return number ? t.number : 0;
}

/* `before` and `earlier` are the two preceding words. */
static void add_word(clause *c, const sentence_word *w, rdv_str earlier)
{
    if (is_wrong(w->text)) {
        c->wrong |= !w->denied;
        c->denied |= w->denied;
    } else if (is_right(w->text)) {
        c->right |= !w->denied;
        c->wrong |= w->denied;
    }
    /* "all of the steps", "every thought", "they are all correct", "everything" */
    bool of_steps = names_step(w->text) &&
                    (words_in(w->before, "all every each") || words_in(earlier, "all every each"));
    c->that |= words_in(w->text, "that this it");
    c->all |= of_steps || (is_right(w->text) && words_in(w->before, "all")) ||
              words_in(w->text, "everything");
    c->spreads |= words_in(w->text, "affects affecting affected leads leading led causes causing "
                                    "propagates carries");
}

static void add_ref(clause *c, size_t shown)
{
    if (c->n_refs++ == 0)
        c->first_ref = shown;
}

static location settle(const clause *c, size_t n_steps)
{
    if (c->wrong && !c->denied && !c->spreads && c->n_refs)
        return at_step(c->first_ref, n_steps);
    bool none =
        (c->denied && !c->wrong && !c->n_refs) || (c->right && c->all && !c->wrong && !c->n_refs);
    return (location){.is = none ? SAYS_NONE : SAYS_NOTHING};
}

/* The statements of a sentence. */
typedef struct said {
    location claims;
    size_t clears;  /* a step that it calls right, from 1; 0: none */
    bool clears_it; /* "that thought is right" */
    bool retracts;  /* it retracts what was claimed before it */
    bool amiss;     /* it objects to what was claimed before, or to itself */
} says;

static void end_clause(location *found, const clause *c, size_t n_steps, says *s)
{
    location l = settle(c, n_steps);
    bool clears_it = c->right && !c->wrong && !c->all && c->n_refs == 0 && c->that;
    s->clears_it |= clears_it;
    if (found->is == SAYS_STEP && (l.is == SAYS_NONE || clears_it))
        found->is = SAYS_BOTH;
    else if (found->is != SAYS_STEP && found->is != SAYS_BOTH && l.is != SAYS_NOTHING)
        *found = l;
    if (c->n_refs == 1 && ((c->right && !c->wrong) || (c->denied && !c->wrong)))
        s->clears = c->first_ref;
}

/* The first clause that claims a step decides; otherwise the whole sentence, if it names one
 * step. */
static says claimed(reply_sentence *sentence, size_t n_steps)
{
    clause c = {0}, whole = {0};
    says s = {.claims.is = SAYS_NOTHING};
    location found = s.claims;
    sentence_word w;
    rdv_str earlier = {0};
    size_t ref = 0; /* the number before this word is a reference to a step */
    bool claims = false, alone = true, denies = false, hedged = false;
    for (; sentence_next_word(sentence, &w); earlier = w.before) {
        if (ends_clause(&w)) {
            end_clause(&found, &c, n_steps, &s);
            c = (clause){0};
        }
        claims |= is_wrong(w.text) || is_right(w.text);
        if (w.does == WORD_RETRACTS) {
            c = whole = (clause){0};
            found = (location){.is = SAYS_NOTHING};
            s.retracts = true;
        }
        alone =
            alone && words_in(w.text, "actually that is was not true so false wrong no a mistake "
                                      "an error incorrect right cannot be can't isn't wasn't");
        denies |=
            words_in(w.text, "false wrong no mistake error incorrect") || words_is_not(w.text);
        s.amiss |= w.does == WORD_OBJECTS &&
                   words_in(w.text, "not true so untrue doubt doubts doubtful disagree deny nope");
        hedged |= w.does == WORD_HEDGES ||
                  (w.does == WORD_OBJECTS && words_in(w.text, "true so untrue doubt doubtful")) ||
                  (claims && words_in(w.text, "when should once would could might") &&
                   !words_in(w.next, "it he she they"));
        if (w.idle)
            continue;
        ref = named(&w, w.before);
        if (ref) {
            add_ref(&c, ref);
            add_ref(&whole, ref);
        }
        add_word(&c, &w, earlier);
        add_word(&whole, &w, earlier);
    }
    end_clause(&found, &c, n_steps, &s);
    if (found.is == SAYS_NOTHING && whole.n_refs == 1)
        found = settle(&whole, n_steps);
    s.amiss = (s.amiss && !claims) || (alone && denies && found.is == SAYS_NOTHING);
    s.claims = hedged ? (location){.is = SAYS_NOTHING} : found;
    return s;
}

/* ---- the reply ------------------------------------------------------------------------------- */

/* True if the sentence takes back what was found before: it retracts it, questions it, or calls the
 * step right. */
static bool takes_back(const reply_sentence *sentence, const says *s, const location *found)
{
    bool clears = found->is == SAYS_STEP &&
                  (s->clears == found->step + 1 || (s->clears_it && s->claims.is != SAYS_STEP));
    return s->retracts || s->amiss || sentence->asked || clears;
}

/* Reads sentences in order: the first step that they claim counts, unless "no mistake" is also
 * stated. */
static location concluded(reply_window *w, size_t n_steps, bool *taken_back)
{
    reply_sentence sentence;
    location found = {.is = SAYS_NOTHING};
    *taken_back = false;
    while (sentence_next(w, &sentence)) {
        rdv_str text = sentence.text;
        says s = claimed(&sentence, n_steps);
        if (takes_back(&sentence, &s, &found)) {
            *taken_back = true;
            found = (location){.is = SAYS_NOTHING};
        }
        location l = sentence.asked ? (location){.is = SAYS_NOTHING} : s.claims;
        l.why = window_in_reply(w, text, text);
        if (l.is != SAYS_STEP || found.is != SAYS_STEP)
            found = join(found, l);
        else if (l.step < found.step)
            found = l;
    }
    return found;
}

/* True if the text after the line takes it back. */
static bool taken_back_behind(rdv_str reply, rdv_str line, size_t n_steps)
{
    reply_window w;
    bool back;
    size_t end = (size_t)(line.p - reply.p) + line.len;
    window_at_front(&w, rdv_slice(reply, end, reply.len));
    (void)concluded(&w, n_steps, &back);
    return back;
}

/* Reads the lines that consist of a label and its value, and the first and last lines that consist
 * of a value alone. */
static location from_lines(rdv_str reply, size_t n_steps)
{
    location labels = {.is = SAYS_NOTHING}, first = labels, last = labels;
    rdv_str rest = reply, line;
    bool any = false, introduced = false;
    while (rest.len && rdv_next_line(&rest, &line)) {
        line = rdv_trim(line);
        if (!line.len)
            continue;
        location label = labelled(line, n_steps);
        last = introduced ? (location){.is = SAYS_NOTHING} : bare(line, n_steps);
        introduced = sentence_introduces(line);
        label.why = last.why = line;
        label.label = true;
        labels = join(labels, label);
        if (!any)
            first = last;
        any = true;
    }
    return labels.is != SAYS_NOTHING ? labels : join(first, last);
}

static location robust(rdv_str reply, size_t n_steps)
{
    reply_window w;
    bool back;
    location l = from_lines(reply, n_steps);
    window_at_end(&w, reply);
    location said = concluded(&w, n_steps, &back);
    if (l.is != SAYS_NOTHING && l.is != SAYS_BOTH && taken_back_behind(reply, l.why, n_steps))
        l.is = SAYS_NOTHING;
    if (l.is == SAYS_NOTHING)
        l = said;
    else if ((l.is == SAYS_NONE && said.is == SAYS_STEP) || (said.is == SAYS_BOTH && !l.label))
        l.is = SAYS_BOTH; /* "No" and a mistake after it */
    return l;
}

/* Reads a number or "No", as the prompt requires. */
static location to_the_letter(rdv_str reply, size_t n_steps)
{
    location none = {.is = SAYS_NONE, .why = reply}, unread = {.is = SAYS_NOTHING};
    while (reply.len && (words_is_any(reply.p[0], "\"'`") || rdv_is_space(reply.p[0])))
        reply = rdv_slice(reply, 1, reply.len);
    while (reply.len &&
           (words_is_any(reply.p[reply.len - 1], "\"'`.") || rdv_is_space(reply.p[reply.len - 1])))
        reply.len--;
    token t;
    size_t at = 0;
    if (rdv_str_ieq(reply, RDV_STR("no")))
        return none;
    if (!next_token(reply, &at, &t) || t.text.len != reply.len || !t.is_number)
        return unread;
    location l = at_step(t.number, n_steps);
    l.why = reply;
    return l;
}

int reply_location(rdv_str reply, rdv_profile profile, size_t n_steps, size_t *first, rdv_str *why)
{
    reply = rdv_slice(words_spoken(reply), 0, WORDS_LIST_BYTES);
    location l = profile == RDV_PAPER ? to_the_letter(reply, n_steps) : robust(reply, n_steps);
    if (l.is != SAYS_NONE && l.is != SAYS_STEP)
        return RDV_NONE;
    *first = l.is == SAYS_STEP ? l.step : RDV_NO_STEP;
    *why = words_shortened(l.why);
    return RDV_OK;
}

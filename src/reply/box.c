/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the index that a critic puts in \boxed{}. */
#include "reply/reply.h"

#include "base/str.h"
#include "reply/sentences.h"
#include "reply/words.h"

/* ---- contents of a box ----------------------------------------------------------------------- */

static bool whole_number(rdv_str s, long *out)
{
    s = rdv_trim(s);
    bool negative = rdv_starts(s, RDV_STR("-"));
    s = rdv_trim(rdv_slice(s, negative, s.len));
    if (s.len == 0 || s.len > 9)
        return false;
    long n = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_digit(s.p[i]))
            return false;
        n = n * 10 + (s.p[i] - '0');
    }
    *out = negative ? -n : n;
    return true;
}

#define BOX_BYTES 64

/* The text in the braces that open at or after byte `at`, without blanks; empty if there are
 * none. */
static rdv_str in_braces(rdv_str s, size_t at)
{
    size_t depth = 0, begin = at;
    while (begin < s.len && rdv_is_space(s.p[begin]))
        begin++;
    for (size_t i = begin; i < s.len && i < begin + BOX_BYTES; i++) {
        if (i == begin && s.p[i] != '{')
            break;
        depth += s.p[i] == '{';
        depth -= s.p[i] == '}';
        if (depth == 0)
            return rdv_trim(rdv_slice(s, begin + 1, i));
    }
    return RDV_STR("");
}

/* Reads "2", "Paragraph 2", "paragraph_2", and these in "\text{}" and similar; U+2212 is also a
 * minus. */
static bool index_in_box(rdv_str s, size_t at, long *out)
{
    rdv_str box = in_braces(s, at);
    size_t brace = rdv_find_char(box, '{', 0);
    if (brace != RDV_NOT_FOUND && rdv_ends(box, RDV_STR("}")) &&
        words_in(rdv_slice(box, 1, brace), "text textbf mathbf mathrm boxed"))
        box = rdv_trim(rdv_slice(box, brace + 1, box.len - 1));
    if (rdv_istarts(box, RDV_STR("paragraph")) && box.len > 9 && words_is_any(box.p[9], " _"))
        box = rdv_slice(box, 10, box.len);
    if (rdv_starts(box, RDV_STR("\xe2\x88\x92"))) {
        *out = -1;
        return rdv_str_eq(rdv_slice(box, 3, box.len), RDV_STR("1"));
    }
    return whole_number(box, out);
}

static int paper(rdv_str reply, long *out)
{
    size_t at = rdv_find_last(reply, RDV_STR("\\boxed{"));
    size_t end = at == RDV_NOT_FOUND ? at : rdv_find_char(rdv_slice(reply, 0, at + 38), '}', at);
    return end != RDV_NOT_FOUND && whole_number(rdv_slice(reply, at + 7, end), out) ? RDV_OK
                                                                                    : RDV_NONE;
}

/* ---- claims ---------------------------------------------------------------------------------- */

typedef struct boxes {
    long index;
    bool any, fresh; /* fresh: given in the previous sentence */
    bool undone;     /* the boxes differ, one holds no index, or it is retracted */
} boxes;

static void add_box(boxes *b, rdv_str sentence, size_t at)
{
    long n = 0;
    bool is_index = index_in_box(sentence, at, &n);
    b->undone |= !is_index || (b->any && n != b->index);
    b->any = true;
    b->index = n;
}

/* State of reading a sentence. */
typedef struct clause {
    rdv_str first;
    bool all;     /* it refers to all paragraphs */
    bool named;   /* it names the contents of the box: an index, an answer */
    bool foreign; /* the box holds the student's answer: "The student's answer is" */
    bool was_idle;
    bool idle; /* it depends on something not claimed: "Perhaps there is no error, which gives" */
} clause;

static bool is_error(rdv_str word)
{
    return words_in(word, "error errors mistake mistakes wrong incorrect flaw flaws");
}

static void follow_clause(clause *c, const sentence_word *w)
{
    if (c->first.len == 0)
        c->first = w->text;
    c->all |= words_in(w->text, "all every everything each whole throughout");
    if (words_has_any(w->gap, ";") || words_in(w->text, "but"))
        c->foreign = c->idle = false;
    c->foreign = c->foreign && !is_error(w->text) && !words_has_any(w->gap, ":(") &&
                 !words_in(w->text, "so therefore thus hence");
    c->foreign |= words_in(w->text, "student's author's solution's their his her") ||
                  words_in(w->text, "student\xe2\x80\x99s author\xe2\x80\x99s") ||
                  (words_in(w->before, "correct right actual") &&
                   words_in(w->text, "answer value result total number")) ||
                  (words_in(w->before, "solution student author paragraph") &&
                   words_in(w->text, "ends ended gives gave gets got has reaches uses"));
    c->named |=
        is_error(w->text) || words_in(w->text, "index paragraph answer critique conclusion");
    c->foreign |= words_in(w->text, "boxed fbox") && !c->named &&
                  (words_in(w->before, "is are equals") || words_has_any(w->gap, "="));
    c->idle |= w->idle && !c->was_idle && !words_in(w->text, "should must need needs have has had");
    c->idle |= (w->denied && words_in(w->text, "that")) || words_in(w->text, "whether");
    c->was_idle = w->idle;
}

/* True if the word retracts an index that was given in this sentence (`here`) or before it. "That
 * is wrong." does; "This is wrong, as the sum is 8" may be a reason. */
static bool takes_back(const clause *c, const sentence_word *w, bool here)
{
    bool objects = w->does == WORD_OBJECTS, begins = w->before.len == 0;
    bool ends = w->next.len == 0 || words_has_any(w->next_gap, ".:;!") || words_in(w->next, "so");
    if (here)
        return objects || w->does == WORD_CONTRASTS || w->does == WORD_HEDGES ||
               words_in(w->text, "when said says") ||
               (words_in(w->text, "should") && words_has_any(w->gap, ","));
    if (begins && (ends || words_has_any(w->next_gap, ",")))
        return objects || words_in(w->text, "no not never");
    return objects && ends && words_in(c->first, "that this it i");
}

/* True if the word contradicts the index: for -1, it says that something is wrong; for another
 * index, that nothing is. The text after an index explains it, and "however" there refers to the
 * student, except directly after the index. */
static bool opposes(const boxes *b, const clause *c, const sentence_word *w)
{
    bool turns = w->before.len == 0 && w->does == WORD_CONTRASTS;
    if (b->index == -1)
        return turns || (w->does == WORD_OBJECTS && !w->idle);
    if (turns || w->idle)
        return turns && b->fresh;
    return w->denied ? is_error(w->text) : c->all && words_in(w->text, "right correct");
}

/* Follows a sentence; the last index that it claims counts. */
static void follow(boxes *found, reply_sentence *sentence)
{
    boxes here = {0};
    clause c = {0};
    sentence_word w;
    while (sentence_next_word(sentence, &w)) {
        boxes *last = here.any ? &here : found;
        follow_clause(&c, &w);
        if (w.does == WORD_RETRACTS)
            *found = here = (boxes){0};
        else if (!words_in(w.text, "boxed fbox"))
            last->undone |= takes_back(&c, &w, here.any) || opposes(last, &c, &w);
        else if (!c.idle && !w.idle && !w.denied && !c.foreign)
            add_box(&here, sentence->text, sentence->at);
    }
    if (here.any)
        *found = here;
    found->fresh = here.any;
    found->undone |= sentence->asked;
}

/* Blanks "<paragraph_2> ... </paragraph_2>", which repeats the text to be criticized. */
static void blank_paragraphs(reply_window *w)
{
    rdv_str s = {w->text, w->len};
    size_t at = 0, end;
    while ((at = rdv_find(s, RDV_STR("<paragraph_"), at)) != RDV_NOT_FOUND &&
           (end = rdv_find(s, RDV_STR("</paragraph_"), at)) != RDV_NOT_FOUND)
        for (; at < end; at++)
            w->text[at] = w->text[at] == '\n' ? '\n' : ' ';
}

static int robust(rdv_str reply, long *out)
{
    reply_window w;
    reply_sentence sentence;
    boxes found = {0};
    window_of_tail(&w, reply);
    blank_paragraphs(&w);
    while (sentence_next(&w, &sentence))
        follow(&found, &sentence);
    if (!found.any || found.undone)
        return RDV_NONE;
    *out = found.index;
    return RDV_OK;
}

int reply_boxed_index(rdv_str reply, rdv_profile profile, long *out)
{
    reply = words_spoken(reply);
    return profile == RDV_ROBUST ? robust(reply, out) : paper(reply, out);
}

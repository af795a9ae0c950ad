/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the index that a critic puts in \boxed{}. */
#include "reply/reply.h"

#include "base/str.h"
#include "reply/sentence.h"
#include "reply/window.h"
#include "reply/words.h"
#include "text/think.h"

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

/* The boxes of a sentence. */
typedef struct boxes {
    long index;
    bool any;
    bool several; /* they differ, or one holds no index */
} boxes;

/* Puts a sign in the place of each box, one for an index and one for anything else. */
static boxes take_boxes(char *text, rdv_str s)
{
    static const char *const names[] = {"\\boxed", "\\fbox"};
    boxes found = {0};
    for (size_t i = 0; i < s.len; i++) {
        rdv_str rest = rdv_slice(s, i, s.len);
        size_t name = rdv_starts(rest, rdv_str_of(names[0]))   ? 6
                      : rdv_starts(rest, rdv_str_of(names[1])) ? 5
                                                               : 0;
        rdv_str inside = name ? in_braces(s, i + name) : (rdv_str){0};
        if (!name)
            continue;
        long index = 0;
        bool is_index = index_in_box(s, i + name, &index);
        found.several |= !is_index || (found.any && index != found.index);
        found.index = index;
        found.any = true;
        size_t end = inside.len ? (size_t)(inside.p - s.p) + inside.len : i + name;
        size_t close = rdv_find_char(s, '}', end);
        end = inside.len && close != RDV_NOT_FOUND ? close + 1 : end;
        char *to = text + (s.p - text) + i;
        memset(to, ' ', end - i);
        memcpy(to, is_index ? SENTENCE_BOX : "\xc2\xa7 ", 3);
    }
    return found;
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

/* What the sentences up to now claim. */
typedef struct claim {
    long index;
    bool any;
    rdv_str rule;
    bool undone; /* it is taken back, or something is said that does not go with it */
} claim;

/* Does the sentence lead to a box that is not claimed? "If there is none, the answer is:" */
static bool supposes_box(const sentence *s)
{
    bool announces = s->says == SAYS_LABEL || s->says == SAYS_REMARK || s->says == SAYS_SUPPORT;
    return s->introduces && !(announces && s->neutral);
}

static void follow(claim *c, const boxes *b, const sentence *s, const sentence *before)
{
    bool introduced = supposes_box(before);
    bool claims = s->says == SAYS_SUPPORT && b->any;
    if (s->retracts && !claims)
        *c = (claim){0};
    if (claims && !introduced && before->says != SAYS_SUPPOSES)
        *c = (claim){b->index, true, s->row->id, b->several};
    else if (b->any && !s->retracts)
        c->undone |= c->any && (b->several || b->index != c->index);
    else if (c->index == -1)
        c->undone |= s->says != SAYS_REMARK && s->says != SAYS_SUPPORT;
    else
        c->undone |= s->asked || s->says == SAYS_CLEARS || s->says == SAYS_UNCLEAR ||
                     s->says == SAYS_SUPPORT;
}

static int robust(rdv_str reply, long *out, reply_ground *by)
{
    reply_window w;
    claim c = {0};
    sentence before = {0};
    window_of_tail(&w, reply);
    blank_paragraphs(&w);
    for (size_t i = 0; i < w.n; i++) {
        boxes b = take_boxes(w.text, w.sentences[i]);
        sentence s;
        sentence_read(w.sentences[i], b.any && b.index == -1 ? READS_NO_BOX : READS_BOX, &s);
        follow(&c, &b, &s, &before);
        before = s;
    }
    if (!c.any || c.undone)
        return RDV_NONE;
    *out = c.index;
    by->rule = c.rule;
    return RDV_OK;
}

int reply_boxed_index(rdv_str reply, rdv_profile profile, long *out, reply_ground *by)
{
    reply = think_spoken(reply);
    if (profile == RDV_ROBUST && !grammar_built_in())
        return RDV_E_NOMEM;
    return profile == RDV_ROBUST ? robust(reply, out, by) : paper(reply, out);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of conclusions: the sentence that concludes, what stands before and behind it, and what
 * "yes" and "no" answer. What a sentence says is in rules/replies.rules. */
#include "reply/reply.h"

#include "base/str.h"
#include "reply/paper.h"
#include "reply/sentence.h"
#include "reply/window.h"
#include "reply/words.h"
#include "text/think.h"

#define REMARKS_MOST 4 /* sentences behind an accusation that is asked for at the end */
#define BEFORE_MOST 4  /* sentences before an endorsement that are read */
#define BARE_MOST 24   /* bytes of "Answer: No": "No, it has no errors" is about something else */

typedef struct conclusion {
    grammar_reader reader;
    bool front;               /* the conclusion comes first, and its reasons behind it */
    rdv_verdict_kind yes, no; /* as an answer to the prompt; RDV_UNKNOWN: it asks for neither */
    rdv_verdict_kind not_bad; /* "no", to the question whether something is wrong */
    int (*paper)(rdv_str reply, rdv_verdict_kind *out);
} conclusion;

static const conclusion comparison = {.reader = READS_COMPARISON,
                                      .yes = RDV_UNKNOWN,
                                      .no = RDV_UNKNOWN,
                                      .not_bad = RDV_UNRELATED,
                                      .paper = paper_comparison};
static const conclusion judgement = {.reader = READS_CORRECTNESS,
                                     .yes = RDV_UNKNOWN,
                                     .no = RDV_UNKNOWN,
                                     .not_bad = RDV_UNKNOWN,
                                     .paper = paper_conclusion};
static const conclusion yes_no = {.reader = READS_YES_NO,
                                  .yes = RDV_SUPPORT,
                                  .no = RDV_CONTRADICT,
                                  .not_bad = RDV_UNKNOWN,
                                  .paper = paper_yes_no};
static const conclusion relevance = {.reader = READS_RELEVANCE,
                                     .front = true,
                                     .yes = RDV_SUPPORT,
                                     .no = RDV_CONTRADICT,
                                     .not_bad = RDV_UNKNOWN,
                                     .paper = paper_relevance};
static const conclusion consistency = {.reader = READS_CONSISTENCY,
                                       .front = true,
                                       .yes = RDV_UNKNOWN,
                                       .no = RDV_UNKNOWN,
                                       .not_bad = RDV_SUPPORT,
                                       .paper = paper_consistency};

/* ---- one sentence ---------------------------------------------------------------------------- */

static void read_at(const conclusion *c, const reply_window *w, size_t i, sentence *out)
{
    sentence_read(w->sentences[i], c->reader, out);
}

/* "Yes" and "no" after a question answer it, and not the prompt. */
static rdv_verdict_kind answered(const conclusion *c, const sentence *question, bool yes)
{
    if (question->says == SAYS_ASKS_RIGHT)
        return yes ? RDV_SUPPORT : c->reader == READS_COMPARISON ? RDV_UNRELATED : RDV_CONTRADICT;
    return question->says == SAYS_ASKS_WRONG ? yes ? RDV_CONTRADICT : c->not_bad : RDV_UNKNOWN;
}

/* The verdict of sentence `s`, behind `before`; RDV_UNKNOWN: none. */
static rdv_verdict_kind verdict_of(const conclusion *c, const sentence *s, const sentence *before)
{
    switch (s->says) {
    case SAYS_SUPPORT:
    case SAYS_PRAISES:
        return RDV_SUPPORT;
    case SAYS_CONTRADICT:
        return RDV_CONTRADICT;
    case SAYS_UNRELATED:
    case SAYS_NOT_AGAINST:
        return RDV_UNRELATED;
    case SAYS_YES:
    case SAYS_NO:
        if (before->asked)
            return answered(c, before, s->says == SAYS_YES);
        return s->says == SAYS_YES ? c->yes : c->no;
    default:
        return RDV_UNKNOWN;
    }
}

/* The sentence before `i` that is no label; one that says nothing where there is none. */
static sentence before(const conclusion *c, const reply_window *w, size_t i)
{
    sentence s = {0};
    while (i-- > 0) {
        read_at(c, w, i, &s);
        if (s.says != SAYS_LABEL)
            return s;
    }
    return (sentence){0};
}

/* ---- the reply ------------------------------------------------------------------------------- */

/* Do sentences before sentence `end` say what does not go with the verdict? */
static bool is_opposed(const conclusion *c, const reply_window *w, size_t end,
                       rdv_verdict_kind verdict)
{
    size_t first = c->front || end < BEFORE_MOST ? 0 : end - BEFORE_MOST;
    bool asked = false;
    for (size_t i = first; i < end; i++) {
        sentence s;
        read_at(c, w, i, &s);
        bool no = s.says == SAYS_NO && !asked && c->no == RDV_CONTRADICT && s.text.len < BARE_MOST;
        bool against = s.says == SAYS_CONTRADICT || s.says == SAYS_UNRELATED || no;
        asked = s.asked;
        if (verdict == RDV_SUPPORT ? against || s.says == SAYS_UNCLEAR
                                   : c->front && s.says == SAYS_SUPPORT)
            return true;
    }
    return false;
}

/* What may stand behind an endorsement. */
static bool may_follow(const sentence *s)
{
    return s->says == SAYS_REMARK || s->says == SAYS_NOT_AGAINST || s->says == SAYS_LABEL ||
           s->says == SAYS_PRAISES || s->says == SAYS_TELLS;
}

/* Is every sentence praise, or goes with it? None denies, for "The discount is never applied" may
 * be what is wrong. */
static bool only_praises(const conclusion *c, const reply_window *w)
{
    bool goes = w->begin == 0;
    for (size_t i = 0; i < w->n && goes; i++) {
        sentence s;
        read_at(c, w, i, &s);
        goes = may_follow(&s) && s.neutral && !s.asked;
    }
    return goes;
}

/* Concludes with sentence `i`. `unread`: what stands behind it says more than a reason, and then
 * nothing is endorsed. */
static int conclude(const conclusion *c, const reply_window *w, size_t i, const sentence *s,
                    bool unread, rdv_verdict_kind *out, reply_ground *by)
{
    sentence b = before(c, w, i);
    rdv_verdict_kind verdict = verdict_of(c, s, &b);
    size_t first = c->front || i < BEFORE_MOST ? 0 : i - BEFORE_MOST;
    bool differ =
        verdict == RDV_SUPPORT && sentences_differ(w->sentences + first, w->n - first, c->reader);
    bool answers = b.asked && (s->says == SAYS_YES || s->says == SAYS_NO);
    if (verdict == RDV_UNKNOWN || b.introduces || b.says == SAYS_SUPPOSES || differ ||
        (verdict == RDV_SUPPORT && unread) || is_opposed(c, w, i, verdict) ||
        (s->says == SAYS_PRAISES && !only_praises(c, w)))
        return RDV_NONE;
    if (verdict == RDV_UNRELATED && b.says == SAYS_CONTRADICT)
        verdict = RDV_CONTRADICT; /* "It contradicts Solution 2. It does not support it." */
    *out = verdict;
    by->sentence = window_in_reply(w, answers ? b.text : s->text, s->text);
    by->rule = s->row->id;
    return RDV_OK;
}

static bool concludes(grammar_says says)
{
    return says == SAYS_SUPPORT || says == SAYS_CONTRADICT || says == SAYS_UNRELATED ||
           says == SAYS_YES || says == SAYS_NO;
}

/* From the end: what may stand behind a conclusion is passed over, behind an endorsement however
 * much it is. "There is no contradiction" is one where no other stands, and so is praise. */
static int robust(const conclusion *c, rdv_str reply, rdv_verdict_kind *out, reply_ground *by)
{
    reply_window w;
    sentence s, weak = {0};
    bool unread = false;
    size_t weak_at = 0;
    if (c->front)
        window_at_front(&w, reply);
    else
        window_of_tail(&w, reply);
    size_t least = c->front || w.n < REMARKS_MOST ? 0 : w.n - REMARKS_MOST;
    for (size_t i = w.n; i-- > 0 && (i >= least || !unread);) {
        read_at(c, &w, i, &s);
        bool takes_back =
            s.retracts && (s.says == SAYS_NOTHING || s.says == SAYS_REMARK || s.says == SAYS_TELLS);
        unread |= i + 1 == w.n && (s.cut_off || (s.says == SAYS_TELLS && !s.ended));
        if ((s.asked && s.says != SAYS_REMARK) || takes_back) /* an offer is a remark */
            return RDV_NONE;
        if (concludes(s.says) && i < least && s.says != SAYS_SUPPORT && s.says != SAYS_YES)
            return RDV_NONE;
        if (concludes(s.says))
            return conclude(c, &w, i, &s, unread, out, by);
        unread |= !may_follow(&s);
        if ((s.says == SAYS_NOT_AGAINST || s.says == SAYS_PRAISES) && !weak.text.len) {
            weak = s;
            weak_at = i;
        }
    }
    return weak.text.len ? conclude(c, &w, weak_at, &weak, unread, out, by) : RDV_NONE;
}

static int paper(const conclusion *c, rdv_str reply, rdv_verdict_kind *out, reply_ground *by)
{
    rdv_str rest = reply, line = reply;
    int rc = c->paper(reply, out);
    rdv_next_line(&rest, &line);
    if (rc == RDV_OK)
        by->sentence = words_shortened(c->front ? line : words_last_line(reply));
    return rc;
}

static int read_verdict(const conclusion *c, rdv_str reply, rdv_profile profile,
                        rdv_verdict_kind *out, reply_ground *by)
{
    reply = think_spoken(reply);
    if (reply.len == 0)
        return RDV_NONE;
    if (profile == RDV_ROBUST && !grammar_built_in())
        return RDV_E_NOMEM;
    return profile == RDV_ROBUST ? robust(c, reply, out, by) : paper(c, reply, out, by);
}

int reply_comparison(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by)
{
    return read_verdict(&comparison, reply, profile, out, by);
}

int reply_correctness(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by)
{
    return read_verdict(&judgement, reply, profile, out, by);
}

int reply_yes_no(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by)
{
    return read_verdict(&yes_no, reply, profile, out, by);
}

int reply_relevance(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by)
{
    return read_verdict(&relevance, reply, profile, out, by);
}

int reply_consistency(rdv_str reply, rdv_profile profile, rdv_verdict_kind *out, reply_ground *by)
{
    return read_verdict(&consistency, reply, profile, out, by);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of the location of the first mistake in a reply. What a sentence says is in
 * rules/replies.rules. */
#include "reply/location.h"

#include "base/str.h"
#include "reply/sentence.h"
#include "reply/window.h"
#include "reply/words.h"
#include "text/think.h"

/* What the sentences up to now claim. */
typedef enum saying {
    SAYS_NO_CLAIM,
    SAYS_NONE, /* there is no mistake, and nothing since then says more than a reason */
    SAYS_STEP, /* the first mistake is at `step` */
    SAYS_BOTH  /* conflicting statements, or a step that does not exist */
} saying;

typedef struct location {
    saying is;
    size_t step;     /* from 0 */
    bool label;      /* a label names it */
    bool bare;       /* SAYS_NONE: by a "no" alone, which may as well begin an objection */
    bool amiss;      /* there is a mistake, and it is not said where */
    reply_ground by; /* the part of the reply that states it */
} location;

/* ---- the robust profile ---------------------------------------------------------------------- */

/* Of several steps the first is meant, and a label before a sentence. */
static void claim_step(location *l, const sentence *s, size_t n_steps, reply_ground by)
{
    bool exists = s->numbered && s->step >= 1 && s->step <= n_steps;
    bool label = s->says == SAYS_LOCATES;
    if (label && !l->label && l->is == SAYS_STEP)
        l->is = SAYS_NO_CLAIM;
    if (l->label && !label)
        return;
    if (!s->numbered && l->is != SAYS_NONE) {
        l->amiss = true;
        return;
    }
    if (!exists || l->is == SAYS_NONE || l->is == SAYS_BOTH || (l->label && l->step + 1 != s->step))
        l->is = SAYS_BOTH;
    else if (l->is != SAYS_STEP || s->step - 1 < l->step)
        *l = (location){
            .is = SAYS_STEP, .step = s->step - 1, .label = label, .amiss = l->amiss, .by = by};
}

/* A number alone, on the first line or the last. */
static void claim_number(location *l, const sentence *s, size_t n_steps, reply_ground by)
{
    if (l->is == SAYS_NONE)
        l->is = SAYS_BOTH;
    else if (s->numbered && s->step >= 1 && s->step <= n_steps && l->is == SAYS_NO_CLAIM)
        claim_step(l, s, n_steps, by);
}

static void claim_none(location *l, bool bare, reply_ground by)
{
    bare = bare && !(l->is == SAYS_NONE && !l->bare);
    if (l->is == SAYS_STEP || l->is == SAYS_BOTH || l->amiss)
        l->is = SAYS_BOTH;
    else
        *l = (location){.is = SAYS_NONE, .bare = bare, .by = by};
}

/* What may stand behind "there is no mistake"; behind a bare "no" only what says that things are
 * in order: "No. The last thought drops a bracket." */
static bool may_follow(const location *l, const sentence *s)
{
    return s->says == SAYS_REMARK || s->says == SAYS_PRAISES ||
           (s->says == SAYS_TELLS && !l->bare) || (s->says == SAYS_LABEL && s->introduces) ||
           (s->says == SAYS_CLEARS && s->neutral);
}

/* "No" answers the prompt, or a question for a mistake. */
static bool is_none(const sentence *s, const sentence *before)
{
    return s->says == SAYS_SUPPORT ||
           (s->says == SAYS_NO && (!before->asked || before->says == SAYS_ASKS_WRONG));
}

/* Behind a label the mistake is explained: "However, this is incorrect because the price is 5". */
static bool explains(rdv_str text)
{
    rdv_str word, first = {0};
    size_t n = 0;
    for (size_t at = 0; words_next(text, &at, &word, NULL); n++)
        first = n ? first : word;
    return n > 4 && words_in(first, "this it however these");
}

/* Does it begin with "no", as an objection may? */
static bool is_bare(const sentence *s)
{
    rdv_str word = {0};
    size_t at = 0;
    return s->says == SAYS_NO && words_next(s->text, &at, &word, NULL) &&
           rdv_str_ieq(word, RDV_STR("no"));
}

/* Does the sentence take back what was claimed before it? */
static bool takes_back(const sentence *s, const location *l)
{
    bool clears =
        s->says == SAYS_CLEARS && l->is == SAYS_STEP && (!s->numbered || s->step == l->step + 1);
    return (s->asked && s->says != SAYS_REMARK) || clears || s->says == SAYS_UNCLEAR ||
           (s->retracts && (s->says == SAYS_NOTHING || s->says == SAYS_REMARK) &&
            !(l->label && explains(s->text)));
}

static void follow(location *l, const sentence *s, const sentence *before, bool alone,
                   size_t n_steps, reply_ground by)
{
    bool introduced = before->introduces && before->says != SAYS_LABEL;
    if (takes_back(s, l))
        *l = (location){.is = SAYS_NO_CLAIM};
    else if (introduced || before->says == SAYS_SUPPOSES)
        l->is = l->is == SAYS_NONE ? SAYS_NO_CLAIM : l->is;
    else if (s->says == SAYS_CONTRADICT || s->says == SAYS_LOCATES)
        claim_step(l, s, n_steps, by);
    else if (s->says == SAYS_NUMBER && alone)
        claim_number(l, s, n_steps, by);
    else if (s->says == SAYS_YES)
        l->is = l->is == SAYS_NONE ? SAYS_BOTH : l->is;
    else if (is_none(s, before))
        claim_none(l, is_bare(s), by);
    else if (l->is == SAYS_NONE && !may_follow(l, s))
        l->is = SAYS_NO_CLAIM;
}

/* Does the sentence leave praise an endorsement? */
static bool goes_with_praise(const sentence *s)
{
    return !s->asked && s->neutral &&
           (s->says == SAYS_PRAISES || s->says == SAYS_REMARK || s->says == SAYS_LABEL ||
            (s->says == SAYS_TELLS && s->ended));
}

static location robust(rdv_str reply, size_t n_steps)
{
    reply_window w;
    location l = {.is = SAYS_NO_CLAIM}, praise = {.is = SAYS_NO_CLAIM};
    sentence before = {0};
    window_of_tail(&w, reply);
    bool only_praise = w.begin == 0;
    for (size_t i = 0; i < w.n; i++) {
        sentence s;
        bool alone = i == 0 || i + 1 == w.n; /* a number alone is the answer there */
        sentence_read(w.sentences[i], READS_LOCATION, &s);
        reply_ground by = {window_in_reply(&w, s.text, s.text), s.row ? s.row->id : (rdv_str){0}};
        follow(&l, &s, &before, alone, n_steps, by);
        only_praise &= goes_with_praise(&s);
        if (s.says == SAYS_PRAISES)
            praise = (location){.is = SAYS_NONE, .by = by};
        before = s;
    }
    if (only_praise)
        l = praise;
    bool differ = l.is == SAYS_NONE && sentences_differ(w.sentences, w.n, READS_LOCATION);
    bool breaks_off = before.cut_off || (before.says == SAYS_TELLS && !before.ended);
    if ((breaks_off && l.is == SAYS_NONE) || differ)
        l.is = SAYS_NO_CLAIM;
    return l;
}

/* ---- the paper's profile --------------------------------------------------------------------- */

#define MOST_DIGITS 6

/* Reads a number or "No", as the prompt requires. */
static location to_the_letter(rdv_str reply, size_t n_steps)
{
    location none = {.is = SAYS_NONE, .by = {reply, {0}}}, unread = {.is = SAYS_NO_CLAIM};
    while (reply.len && (words_is_any(reply.p[0], "\"'`") || rdv_is_space(reply.p[0])))
        reply = rdv_slice(reply, 1, reply.len);
    while (reply.len &&
           (words_is_any(reply.p[reply.len - 1], "\"'`.") || rdv_is_space(reply.p[reply.len - 1])))
        reply.len--;
    if (rdv_str_ieq(reply, RDV_STR("no")))
        return none;
    size_t number = 0;
    if (!reply.len || reply.len > MOST_DIGITS || rdv_skip_digits(reply, 0) != reply.len)
        return unread;
    for (size_t i = 0; i < reply.len; i++)
        number = number * 10 + (size_t)(reply.p[i] - '0');
    bool exists = number >= 1 && number <= n_steps;
    return (location){.is = exists ? SAYS_STEP : SAYS_BOTH, .step = number - 1, .by = {reply, {0}}};
}

int reply_location(rdv_str reply, rdv_profile profile, size_t n_steps, size_t *first,
                   reply_ground *by)
{
    reply = rdv_slice(think_spoken(reply), 0, WORDS_LIST_BYTES);
    if (profile != RDV_PAPER && !grammar_built_in())
        return RDV_E_NOMEM;
    location l = profile == RDV_PAPER ? to_the_letter(reply, n_steps) : robust(reply, n_steps);
    if (l.is != SAYS_NONE && l.is != SAYS_STEP)
        return RDV_NONE;
    *first = l.is == SAYS_STEP ? l.step : RDV_NO_STEP;
    *by = (reply_ground){words_shortened(l.by.sentence), l.by.rule};
    return RDV_OK;
}

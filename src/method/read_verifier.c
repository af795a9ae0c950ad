/* SPDX-License-Identifier: Apache-2.0 */
/* What a verifier of one property says of a step: relevant or not, consistent or not. */
#include "method/read.h"

#include "base/str.h"
#include "method/read_words.h"

/* ---- sentences from the front ---------------------------------------------------------------- */

/* Where the sentence that begins at byte `at` ends. */
static size_t sentence_end(rdv_str s, size_t at)
{
    for (; at < s.len; at++) {
        if (s.p[at] == '\n')
            return at;
        if (read_is_any(s.p[at], ".!?;") && (at + 1 == s.len || !rdv_is_alnum(s.p[at + 1])))
            return at + 1;
    }
    return s.len;
}

/* The next sentence that has a word, at or after *at, which is moved behind it. */
static bool next_sentence(rdv_str s, size_t *at, rdv_str *sentence)
{
    while (*at < s.len) {
        size_t end = sentence_end(s, *at), word_at = 0;
        rdv_str word;
        *sentence = rdv_slice(s, *at, end);
        *at = end + (end < s.len && s.p[end] == '\n');
        if (read_next_word(*sentence, &word_at, &word, NULL))
            return true;
    }
    return false;
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* What the words of a property claim: 1 that the step has it, -1 that it has not, 0 nothing. */
typedef int word_claims(rdv_str word, rdv_str before);

typedef struct claims {
    bool good, bad;
} claims;

#define NEGATION_REACH 5 /* words */

static bool ends_negation(rdv_str word, rdv_str gap)
{
    static const char *const conjunctions[] = {"but",  "so",    "because", "since",   "while",
                                               "as",   "which", "and",     "only",    "just",
                                               "then", "thus",  "hence",   "however", "therefore"};
    return read_has_any(gap, ",;:") || READ_IS_ONE_OF(word, conjunctions);
}

/* Behind these nothing is claimed: "whether it is relevant", "if it contradicts". */
static bool opens_question(rdv_str word)
{
    static const char *const words[] = {"whether", "if", "would", "could", "might"};
    return READ_IS_ONE_OF(word, words);
}

static claims claims_of(rdv_str sentence, word_claims *of)
{
    claims c = {0};
    rdv_str word, gap, before = {0};
    unsigned negated = 0; /* words that a negation still reaches */
    bool open = false, first_is_if = false;
    for (size_t at = 0; read_next_word(sentence, &at, &word, &gap); before = word) {
        if (negated && ends_negation(word, gap))
            negated = 0;
        if (rdv_str_ieq(word, RDV_STR("otherwise")))
            return (claims){0}; /* both are only said to be possible */
        open = (open && (first_is_if || !read_has_any(gap, ",;:"))) || opens_question(word);
        first_is_if |= open && !before.p;
        int claim = open ? 0 : of(word, before);
        c.good |= claim && (claim > 0) != (negated > 0);
        c.bad |= claim && (claim > 0) == (negated > 0);
        if (claim && negated)
            negated = NEGATION_REACH + 1; /* "not relevant or helpful" */
        if (negated)
            negated--;
        if (read_is_not(word))
            negated = NEGATION_REACH;
    }
    return c;
}

/* ---- relevance ------------------------------------------------------------------------------- */

static int claims_relevance(rdv_str word, rdv_str before)
{
    (void)before;
    static const char *const bad[] = {"irrelevant", "unrelated"};
    return rdv_str_ieq(word, RDV_STR("relevant")) ? 1 : READ_IS_ONE_OF(word, bad) ? -1 : 0;
}

/* The paper interprets "not relevant" as 0 (section 3.3) and asks for "yes, the solution is
 * relevant" or "no"; that "no" is looked for at the beginning and goes first is ours. */
static int paper_relevance(rdv_str reply, rdv_verdict_is *out)
{
    rdv_str word;
    size_t at = 0;
    bool begins = read_next_word(reply, &at, &word, NULL);
    if ((begins && rdv_str_ieq(word, RDV_STR("no"))) ||
        rdv_ifind(reply, RDV_STR("not relevant"), 0) != RDV_NOT_FOUND ||
        rdv_ifind(reply, RDV_STR("irrelevant"), 0) != RDV_NOT_FOUND)
        *out = RDV_CONTRADICT;
    else if ((begins && rdv_str_ieq(word, RDV_STR("yes"))) ||
             rdv_ifind(reply, RDV_STR("relevant"), 0) != RDV_NOT_FOUND)
        *out = RDV_SUPPORT;
    else
        return RDV_NONE;
    return RDV_OK;
}

/* Words that may stand before the yes or no that answers. */
static bool leads(rdv_str word)
{
    static const char *const words[] = {
        "answer", "evaluation", "final", "is",       "it",      "my",        "of",
        "result", "say",        "so",    "solution", "step",    "therefore", "the",
        "thus",   "verdict",    "draft", "hence",    "overall", "your",      "i"};
    return READ_IS_ONE_OF(word, words);
}

/* Does "no" or "yes" answer here, and not begin "no step failed"? */
static bool stands_alone(rdv_str next, rdv_str gap)
{
    static const char *const after[] = {"it", "the",   "this", "that",    "because", "and",
                                        "as", "since", "but",  "however", "i"};
    return next.len == 0 || read_has_any(gap, ",.;:!?()\"-*'\n") ||
           rdv_find(gap, RDV_STR("\xe2\x80"), 0) != RDV_NOT_FOUND || READ_IS_ONE_OF(next, after);
}

/* 1: the sentence answers yes; -1: no; 0: neither; 2: both. */
static int sentence_answers(rdv_str sentence)
{
    rdv_str word, gap, next;
    int answer = 0;
    bool leading = true;
    for (size_t at = 0; read_next_word(sentence, &at, &word, NULL);) {
        int says = rdv_str_ieq(word, RDV_STR("yes"))  ? 1
                   : rdv_str_ieq(word, RDV_STR("no")) ? -1
                                                      : 0;
        size_t behind = at;
        gap = next = (rdv_str){0};
        if (says)
            read_next_word(sentence, &behind, &next, &gap);
        if (says && leading && (answer || stands_alone(next, gap)))
            answer = answer && answer != says ? 2 : says;
        static const char *const joins[] = {"and", "or"};
        if (!says && !(answer ? READ_IS_ONE_OF(word, joins) : leads(word)))
            leading = false;
    }
    return answer;
}

/* What the sentence answers, unless it says the opposite beside it. */
static int settle_answer(int answer, claims c, rdv_verdict_is *out)
{
    if (answer == 2 || (answer > 0 && c.bad && !c.good) || (answer < 0 && c.good && !c.bad))
        return RDV_NONE;
    *out = answer > 0 ? RDV_SUPPORT : RDV_CONTRADICT;
    return RDV_OK;
}

/* The first sentence answers, as it was told to. Where it does not, the last sentence that answers
 * does; where none does, what all sentences agree on. */
static int robust_relevance(rdv_str reply, rdv_verdict_is *out)
{
    rdv_str sentence, last = {0};
    claims all = {0};
    bool first = true;
    for (size_t at = 0; next_sentence(reply, &at, &sentence); first = false) {
        claims c = claims_of(sentence, claims_relevance);
        int answer = sentence_answers(sentence);
        if (first && answer)
            return settle_answer(answer, c, out);
        if (answer)
            last = sentence;
        all.good |= c.good;
        all.bad |= c.bad;
    }
    if (last.p)
        return settle_answer(sentence_answers(last), claims_of(last, claims_relevance), out);
    if (all.good == all.bad)
        return RDV_NONE;
    *out = all.good ? RDV_SUPPORT : RDV_CONTRADICT;
    return RDV_OK;
}

int read_relevance(rdv_str reply, rdv_profile profile, rdv_verdict_is *out)
{
    reply = read_spoken(reply);
    reply = rdv_slice(reply, 0, READ_LIST_BYTES);
    return profile == RDV_ROBUST ? robust_relevance(reply, out) : paper_relevance(reply, out);
}

/* ---- consistency ----------------------------------------------------------------------------- */

static int claims_consistency(rdv_str word, rdv_str before)
{
    static const char *const good[] = {"consistent", "noncontradictory"};
    static const char *const bad[] = {"contradict",    "contradicts",    "contradicting",
                                      "contradicted",  "contradictory",  "inconsistent",
                                      "inconsistency", "inconsistencies"};
    static const char *const noun[] = {"contradiction", "contradictions"};
    /* So that "contradiction" in a French sentence is not read. */
    static const char *const before_noun[] = {"a",  "any", "clear", "direct", "in",
                                              "no", "the", "this",  "without"};
    if (READ_IS_ONE_OF(word, good))
        return 1;
    if (READ_IS_ONE_OF(word, noun))
        return READ_IS_ONE_OF(before, before_noun) ? -1 : 0;
    return READ_IS_ONE_OF(word, bad) ? -1 : 0;
}

static bool stands_in(rdv_str text, const char *const *phrases, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rdv_ifind(text, rdv_str_of(phrases[i]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* Ours; the paper does not say how the reply is read. */
static int paper_consistency(rdv_str reply, rdv_verdict_is *out)
{
    static const char *const denied[] = {"not contradict", "n't contradict", "no contradict"};
    static const char *const bad[] = {"contradict", "inconsistent", "not consistent"};
    static const char *const good[] = {"consistent"};
    if (stands_in(reply, denied, 3))
        *out = RDV_SUPPORT;
    else if (stands_in(reply, bad, 3))
        *out = RDV_CONTRADICT;
    else if (stands_in(reply, good, 1))
        *out = RDV_SUPPORT;
    else
        return RDV_NONE;
    return RDV_OK;
}

/* Copy `s` into `to` (as long) with what is quoted blanked: the step itself stands there where a
 * model says the beginning of the sentence again. */
static rdv_str without_quotes(rdv_str s, char *to)
{
    memcpy(to, s.p, s.len);
    for (size_t i = 0; i < s.len;) {
        size_t end = read_quote_end(s, i);
        for (size_t k = i; k < end; k++)
            to[k] = ' ';
        i = end > i ? end : i + 1;
    }
    return (rdv_str){to, s.len};
}

#define CONSISTENCY_BYTES 4096

/* The first sentence that claims something decides: the reply goes on with the conclusion. */
static int robust_consistency(rdv_str reply, rdv_verdict_is *out)
{
    char text[CONSISTENCY_BYTES];
    rdv_str sentence;
    reply = rdv_slice(reply, 0, sizeof text);
    if (!reply.len)
        return RDV_NONE;
    reply = without_quotes(reply, text);
    for (size_t at = 0; next_sentence(reply, &at, &sentence);) {
        claims c = claims_of(sentence, claims_consistency);
        if (c.good && c.bad)
            return RDV_NONE;
        if (!c.good && !c.bad)
            continue;
        *out = c.good ? RDV_SUPPORT : RDV_CONTRADICT;
        return RDV_OK;
    }
    return RDV_NONE;
}

int read_consistency(rdv_str reply, rdv_profile profile, rdv_verdict_is *out)
{
    reply = read_spoken(reply);
    reply = rdv_slice(reply, 0, READ_LIST_BYTES);
    return profile == RDV_ROBUST ? robust_consistency(reply, out) : paper_consistency(reply, out);
}

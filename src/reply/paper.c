/* SPDX-License-Identifier: Apache-2.0 */
/* Conclusions as the papers read them; if a paper does not specify the rule, it is ours. */
#include "reply/paper.h"

#include "base/str.h"
#include "reply/words.h"

static bool has(rdv_str text, const char *phrase)
{
    return rdv_ifind(text, rdv_str_of(phrase), 0) != RDV_NOT_FOUND;
}

static int found(rdv_verdict_kind is, rdv_verdict_kind *out)
{
    *out = is;
    return RDV_OK;
}

/* Section 3.1 and appendix A: the word in the last line. If both words occur there, the paper gives
 * no rule; contradict takes precedence, as in the authors' code. */
int paper_comparison(rdv_str reply, rdv_verdict_kind *out)
{
    rdv_str line = words_last_line(reply);
    return found(has(line, "contradict") ? RDV_CONTRADICT
                 : has(line, "support")  ? RDV_SUPPORT
                                         : RDV_UNRELATED,
                 out);
}

static bool has_word(rdv_str text, const char *words)
{
    rdv_str word;
    for (size_t at = 0; words_next(text, &at, &word, NULL);)
        if (words_in(word, words))
            return true;
    return false;
}

/* Section 5.2 asks for a conclusion at the end that starts with one of the three, and does not
 * specify how it is read. Ours: the last line; words against the step take precedence. "Correct" is
 * a word: "check the correctness" repeats the question. */
int paper_conclusion(rdv_str reply, rdv_verdict_kind *out)
{
    rdv_str line = words_last_line(reply);
    if (has(line, "not sure"))
        return found(RDV_UNRELATED, out);
    if (has(line, "wrong") || has(line, "incorrect"))
        return found(RDV_CONTRADICT, out);
    return has_word(line, "correct correctly") ? found(RDV_SUPPORT, out) : RDV_NONE;
}

/* Appendix B asks for "yes" or "no" at the end: the last of the two words in the last line. Ours:
 * without them a conclusion of section 5.2, which starts with "Correct" if it supports. */
int paper_yes_no(rdv_str reply, rdv_verdict_kind *out)
{
    rdv_str line = words_last_line(reply), word;
    rdv_verdict_kind said;
    int rc = RDV_NONE;
    for (size_t at = 0; words_next(line, &at, &word, NULL);)
        if (words_in(word, "yes no"))
            rc = found(words_in(word, "yes") ? RDV_SUPPORT : RDV_CONTRADICT, out);
    if (rc == RDV_OK || paper_conclusion(line, &said) != RDV_OK)
        return rc;
    size_t at = 0;
    words_next(line, &at, &word, NULL);
    return said != RDV_SUPPORT || words_in(word, "correct") ? found(said, out) : RDV_NONE;
}

/* The paper interprets "not relevant" as 0 (section 3.3) and asks for "yes, the solution is
 * relevant" or "no". Ours: "no" is searched at the beginning and takes precedence; a reply that
 * begins with neither and has both words repeats the question. */
int paper_relevance(rdv_str reply, rdv_verdict_kind *out)
{
    rdv_str word = {0};
    size_t at = 0;
    words_next(reply, &at, &word, NULL);
    if (words_in(word, "no") || has(reply, "not relevant") || has(reply, "irrelevant"))
        return found(RDV_CONTRADICT, out);
    bool repeats = has_word(reply, "yes") && has_word(reply, "no");
    return words_in(word, "yes") || (has(reply, "relevant") && !repeats) ? found(RDV_SUPPORT, out)
                                                                         : RDV_NONE;
}

/* Ours; the paper does not specify how the reply is read. */
int paper_consistency(rdv_str reply, rdv_verdict_kind *out)
{
    if (has(reply, "not contradict") || has(reply, "n't contradict") || has(reply, "no contradict"))
        return found(RDV_SUPPORT, out);
    if (has(reply, "contradict") || has(reply, "inconsistent") || has(reply, "not consistent"))
        return found(RDV_CONTRADICT, out);
    return has(reply, "consistent") ? found(RDV_SUPPORT, out) : RDV_NONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Conclusions of checks that judge directly: Correct, Wrong, Not Sure; yes or no. */
#include "method/read.h"

#include "base/str.h"
#include "method/read_words.h"

/* ---- the paper's rules ----------------------------------------------------------------------- */

/* Section 5.2 asks for a conclusion at the end that starts with one of the three, and does not say
 * how it is read: ours is the last line, and what speaks against the step goes first. */
static int paper_conclusion(rdv_str reply, rdv_verdict_is *out)
{
    rdv_str line = read_last_line(reply);
    bool unsure = rdv_ifind(line, RDV_STR("not sure"), 0) != RDV_NOT_FOUND;
    bool wrong = rdv_ifind(line, RDV_STR("wrong"), 0) != RDV_NOT_FOUND ||
                 rdv_ifind(line, RDV_STR("incorrect"), 0) != RDV_NOT_FOUND;
    bool correct = rdv_ifind(line, RDV_STR("correct"), 0) != RDV_NOT_FOUND;
    if (!unsure && !wrong && !correct)
        return RDV_NONE;
    *out = unsure ? RDV_UNRELATED : wrong ? RDV_CONTRADICT : RDV_SUPPORT;
    return RDV_OK;
}

static bool is_yes(rdv_str word)
{
    return rdv_str_ieq(word, RDV_STR("yes"));
}

static bool is_no(rdv_str word)
{
    return rdv_str_ieq(word, RDV_STR("no"));
}

/* Appendix B asks to end with "yes" or "no": the last of the two words in the last line. */
static int paper_yes_no(rdv_str reply, rdv_verdict_is *out)
{
    rdv_str line = read_last_line(reply), word;
    int rc = RDV_NONE;
    for (size_t at = 0; read_next_word(line, &at, &word, NULL);) {
        if (!is_yes(word) && !is_no(word))
            continue;
        *out = is_yes(word) ? RDV_SUPPORT : RDV_CONTRADICT;
        rc = RDV_OK;
    }
    return rc;
}

/* ---- where a conclusion stands in a sentence ------------------------------------------------- */

/* Words that lead to a conclusion: "Therefore, the student's solution is". */
static bool is_lead(rdv_str word)
{
    static const char *const words[] = {"a",
                                        "actually",
                                        "also",
                                        "am",
                                        "and",
                                        "answer",
                                        "appears",
                                        "are",
                                        "as",
                                        "assessment",
                                        "be",
                                        "but",
                                        "check",
                                        "conclusion",
                                        "completely",
                                        "current",
                                        "end",
                                        "entirely",
                                        "evaluation",
                                        "final",
                                        "finally",
                                        "fully",
                                        "given",
                                        "hence",
                                        "hmm",
                                        "however",
                                        "i",
                                        "i'm",
                                        "i\xe2\x80\x99m",
                                        "in",
                                        "indeed",
                                        "is",
                                        "it",
                                        "it's",
                                        "it\xe2\x80\x99s",
                                        "judgement",
                                        "judgment",
                                        "looks",
                                        "my",
                                        "next",
                                        "overall",
                                        "process",
                                        "provided",
                                        "reasoning",
                                        "result",
                                        "seems",
                                        "so",
                                        "solution",
                                        "step",
                                        "student",
                                        "student's",
                                        "student\xe2\x80\x99s",
                                        "summary",
                                        "that",
                                        "the",
                                        "therefore",
                                        "this",
                                        "thus",
                                        "to",
                                        "verdict",
                                        "wait",
                                        "whole"};
    return READ_IS_ONE_OF(word, words);
}

/* A conclusion found: the word, whether "not" stands before it, and what follows. */
typedef struct place {
    rdv_str word, gap, next; /* next.len == 0: the sentence ends */
    bool negated;
} place;

/* The first word of the sentence that is not a lead. "Step 1: ..." is one entry of a list, not what
 * it comes to. */
static bool find_place(rdv_str sentence, place *p)
{
    size_t at = 0;
    rdv_str gap;
    bool step = false;
    *p = (place){0};
    while (read_next_word(sentence, &at, &p->word, &gap)) {
        if (step && read_has_any(gap, ":"))
            return false;
        step = rdv_str_ieq(p->word, RDV_STR("step"));
        bool negation = !is_no(p->word) && read_is_not(p->word);
        p->negated = p->negated || negation;
        if (negation || is_lead(p->word))
            continue;
        read_next_word(sentence, &at, &p->next, &p->gap);
        return true;
    }
    return false;
}

/* Does the sentence go on as if the word were no attribute of what follows ("the correct value")?
 */
static bool stands_alone(const place *p)
{
    static const char *const after[] = {"and",   "as", "based",   "because", "for",
                                        "given", "in", "overall", "since",   "with"};
    static const char *const limits[] = {"but", "except", "if", "only", "or", "until", "up"};
    if (READ_IS_ONE_OF(p->next, limits))
        return false;
    return p->next.len == 0 || read_has_any(p->gap, ",.;:!?()\"-") ||
           rdv_find(p->gap, RDV_STR("\xe2\x80"), 0) != RDV_NOT_FOUND ||
           READ_IS_ONE_OF(p->next, after);
}

static bool is_judgement(rdv_str word)
{
    static const char *const words[] = {"correct", "wrong", "incorrect", "sure", "not"};
    return READ_IS_ONE_OF(word, words);
}

/* ---- Correct, Wrong, Not Sure ---------------------------------------------------------------- */

static int sentence_conclusion(rdv_str sentence, rdv_verdict_is *out)
{
    static const char *const wrong[] = {"wrong", "incorrect"};
    static const char *const unsure[] = {"unsure", "uncertain"};
    place p;
    if (!find_place(sentence, &p))
        return RDV_NONE;
    bool correct = rdv_str_ieq(p.word, RDV_STR("correct"));
    if (correct && (!stands_alone(&p) || is_judgement(p.next)))
        return RDV_NONE;
    if (correct)
        *out = p.negated ? RDV_CONTRADICT : RDV_SUPPORT;
    else if (READ_IS_ONE_OF(p.word, wrong) && !p.negated)
        *out = RDV_CONTRADICT;
    else if (READ_IS_ONE_OF(p.word, unsure) || (p.negated && rdv_str_ieq(p.word, RDV_STR("sure"))))
        *out = RDV_UNRELATED;
    else
        return RDV_NONE;
    return RDV_OK;
}

static int robust_conclusion(rdv_str reply, rdv_verdict_is *out)
{
    read_end end;
    rdv_str sentence;
    read_end_of(reply, &end);
    while (read_prev_sentence(&end, &sentence))
        if (sentence_conclusion(sentence, out) == RDV_OK)
            return RDV_OK;
    return RDV_NONE;
}

int read_conclusion(rdv_str reply, rdv_profile profile, rdv_verdict_is *out)
{
    reply = read_spoken(reply);
    return profile == RDV_ROBUST ? robust_conclusion(reply, out) : paper_conclusion(reply, out);
}

/* ---- yes and no ------------------------------------------------------------------------------ */

/* Behind "answer is" or "Answer:", and at the place of a conclusion; not `"yes" or "no"`, nor "no
 * errors". What is asked about may end without a full stop before "Answer:". */
static int sentence_yes_no(rdv_str sentence, rdv_verdict_is *out)
{
    size_t answer = rdv_ifind(sentence, RDV_STR("answer is"), 0);
    place p;
    if (answer == RDV_NOT_FOUND)
        answer = rdv_ifind(sentence, RDV_STR("answer:"), 0);
    if (answer != RDV_NOT_FOUND)
        sentence = rdv_slice(sentence, answer, sentence.len);
    if (!find_place(sentence, &p) || p.negated || (!is_yes(p.word) && !is_no(p.word)))
        return RDV_NONE;
    if (!stands_alone(&p))
        return RDV_NONE;
    *out = is_yes(p.word) ? RDV_SUPPORT : RDV_CONTRADICT;
    return RDV_OK;
}

static int robust_yes_no(rdv_str reply, rdv_verdict_is *out)
{
    read_end end;
    rdv_str sentence;
    read_end_of(reply, &end);
    while (read_prev_sentence(&end, &sentence))
        if (sentence_yes_no(sentence, out) == RDV_OK ||
            sentence_conclusion(sentence, out) == RDV_OK)
            return RDV_OK;
    return RDV_NONE;
}

int read_yes_no(rdv_str reply, rdv_profile profile, rdv_verdict_is *out)
{
    reply = read_spoken(reply);
    if (profile == RDV_ROBUST)
        return robust_yes_no(reply, out);
    int rc = paper_yes_no(reply, out);
    return rc == RDV_OK ? rc : paper_conclusion(reply, out);
}

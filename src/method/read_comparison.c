/* SPDX-License-Identifier: Apache-2.0 */
/* The conclusion of a comparison: supports, contradicts, or is not directly related to. */
#include "method/read.h"

#include "base/str.h"
#include "method/read_words.h"

/* ---- the paper's rule ------------------------------------------------------------------------ */

/* Section 3.1 and appendix A: the word in the last line. Where both stand there the paper is
 * silent; contradict goes first, as in the authors' code. */
static rdv_verdict_is paper_verdict(rdv_str reply)
{
    rdv_str line = read_last_line(reply);
    if (rdv_ifind(line, RDV_STR("contradict"), 0) != RDV_NOT_FOUND)
        return RDV_CONTRADICT;
    if (rdv_ifind(line, RDV_STR("support"), 0) != RDV_NOT_FOUND)
        return RDV_SUPPORT;
    return RDV_UNRELATED;
}

/* ---- what a sentence claims ------------------------------------------------------------------ */

typedef struct claims {
    bool support, contradict, unrelated;
    bool not_support, not_contradict;
    bool choice; /* "or" stands between them: an echo of what could be said */
} claims;

typedef enum word_is {
    OTHER,
    SUPPORT,
    UNSUPPORTED,
    CONTRADICT,
    CONSISTENT,
    RELATED,
    UNRELATED
} word_is;

static word_is classify(rdv_str word, rdv_str before)
{
    static const char *const support[] = {"support", "supports", "supported", "supporting",
                                          "supportive"};
    static const char *const unsupported[] = {"unsupported", "unsupportive", "nonsupporting"};
    static const char *const contradict[] = {"contradict", "contradicts", "contradicted",
                                             "contradicting", "contradictory"};
    static const char *const noun[] = {"contradiction", "contradictions"};
    /* So that "contradiction" in a French sentence is not read. */
    static const char *const before_noun[] = {"a",  "any", "clear", "direct", "in",
                                              "no", "the", "this",  "without"};
    static const char *const consistent[] = {"noncontradictory", "uncontradicted"};
    static const char *const related[] = {"related", "relevant"};
    static const char *const unrelated[] = {"unrelated", "irrelevant"};
    if (READ_IS_ONE_OF(word, support))
        return SUPPORT;
    if (READ_IS_ONE_OF(word, contradict))
        return CONTRADICT;
    if (READ_IS_ONE_OF(word, noun))
        return READ_IS_ONE_OF(before, before_noun) ? CONTRADICT : OTHER;
    if (READ_IS_ONE_OF(word, related))
        return RELATED;
    return READ_IS_ONE_OF(word, unsupported)  ? UNSUPPORTED
           : READ_IS_ONE_OF(word, unrelated)  ? UNRELATED
           : READ_IS_ONE_OF(word, consistent) ? CONSISTENT
                                              : OTHER;
}

/* How far a negation reaches. "not" turns the verb round that follows within a few words, in the
 * same clause; "no", "nothing", "neither" turn round what comes before the next comma, also behind
 * a new subject. */
typedef struct negation {
    unsigned left; /* words that it still reaches; 0: there is none */
    bool wide;
    bool partly; /* "partially supports" is no support, "partially contradicts" contradicts */
} negation;

#define NEGATION_REACH 6

static bool begins_negation(rdv_str word, rdv_str before)
{
    return read_is_not(word) ||
           (rdv_str_ieq(before, RDV_STR("rather")) && rdv_str_ieq(word, RDV_STR("than"))) ||
           (rdv_str_ieq(before, RDV_STR("instead")) && rdv_str_ieq(word, RDV_STR("of")));
}

static bool ends_negation(rdv_str word, rdv_str gap, const negation *n)
{
    static const char *const conjunctions[] = {
        "but",     "so",    "therefore", "hence", "thus", "because", "since", "while", "as",
        "whereas", "which", "and",       "only",  "just", "it",      "yet",   "merely"};
    bool comma = read_has_any(gap, ",");
    if (read_has_any(gap, ";:") || READ_IS_ONE_OF(word, conjunctions))
        return true;
    if (n->wide)
        return comma;
    return rdv_str_ieq(word, RDV_STR("solution")) ||
           (comma && word.len > 3 && rdv_ends(word, RDV_STR("ing")));
}

static void follow_negation(negation *n, rdv_str word, rdv_str before, rdv_str gap)
{
    static const char *const wide[] = {"no", "none", "nothing", "neither", "nor"};
    if (n->left && ends_negation(word, gap, n))
        *n = (negation){0};
    if (rdv_str_ieq(word, RDV_STR("partially")) || rdv_str_ieq(word, RDV_STR("partly")))
        n->partly = true;
    if (begins_negation(word, before))
        *n = (negation){NEGATION_REACH + 1, READ_IS_ONE_OF(word, wide), n->partly};
    else if (n->left && rdv_str_ieq(word, RDV_STR("that")))
        n->wide = true; /* "it is not the case that Solution 1 supports" */
    if (n->left && !n->wide)
        n->left--;
}

static void claim(claims *c, word_is is, const negation *n)
{
    bool negated = n->left > 0;
    c->support |= is == SUPPORT && !negated && !n->partly;
    c->not_support |= (is == SUPPORT && (negated || n->partly)) || is == UNSUPPORTED;
    c->contradict |= is == CONTRADICT && !negated;
    c->not_contradict |= (is == CONTRADICT && negated) || is == CONSISTENT;
    c->unrelated |= (is == RELATED && negated) || is == UNRELATED;
}

static claims claims_of(rdv_str sentence)
{
    claims c = {0};
    negation n = {0};
    rdv_str word, gap, before = {0};
    bool open = false, or_seen = false; /* behind "whether" nothing is claimed */
    for (size_t at = 0; read_next_word(sentence, &at, &word, &gap); before = word) {
        follow_negation(&n, word, before, gap);
        open = (open && !read_has_any(gap, ";:")) || rdv_str_ieq(word, RDV_STR("whether"));
        word_is is = classify(word, before);
        bool claimed = c.support || c.contradict || c.unrelated;
        or_seen |= claimed && rdv_str_ieq(word, RDV_STR("or"));
        if (is == OTHER || open)
            continue;
        claim(&c, is, &n);
        c.choice |= or_seen;
        n.left = n.left ? NEGATION_REACH + 1 : 0; /* "does not support or contradict" */
        n.partly = false;
    }
    return c;
}

/* ---- the robust rule ------------------------------------------------------------------------- */

/* The verdict of a sentence whose claims agree, `later` being what was denied behind it. RDV_NONE:
 * they do not agree. */
static int settle(claims c, claims later, rdv_verdict_is *out)
{
    if (c.support + c.contradict + c.unrelated > 1)
        return RDV_NONE;
    if ((c.support && later.not_support) || (c.contradict && later.not_contradict))
        return RDV_NONE;
    *out = c.support ? RDV_SUPPORT : c.contradict ? RDV_CONTRADICT : RDV_UNRELATED;
    return RDV_OK;
}

/* The last sentence that claims something decides. A sentence that only denies ("there is no
 * contradiction") leaves it to what was said before it; alone it is no support. */
static int robust_verdict(rdv_str reply, rdv_verdict_is *out)
{
    read_end end;
    rdv_str sentence;
    claims denied = {0};
    read_end_of(reply, &end);
    while (read_prev_sentence(&end, &sentence)) {
        claims c = claims_of(sentence);
        bool several = c.support + c.contradict + c.unrelated > 1;
        if (several && c.choice)
            continue;
        if (c.support || c.contradict || c.unrelated)
            return settle(c, denied, out);
        denied.not_support |= c.not_support;
        denied.not_contradict |= c.not_contradict;
    }
    if (!denied.not_support && !denied.not_contradict)
        return RDV_NONE;
    *out = RDV_UNRELATED;
    return RDV_OK;
}

int read_comparison(rdv_str reply, rdv_profile profile, rdv_verdict_is *out)
{
    reply = read_spoken(reply);
    if (reply.len == 0)
        return RDV_NONE;
    if (profile == RDV_ROBUST)
        return robust_verdict(reply, out);
    *out = paper_verdict(reply);
    return RDV_OK;
}

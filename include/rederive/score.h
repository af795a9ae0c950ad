/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/score.h - a confidence from verdicts and an answer from confidences: integration,
 * aggregation, votes, error bounds of majority voting, and early stopping (spec sections 3 and 7;
 * docs/voting.md).
 *
 * NaN stands for "null": not known. Two rules hold throughout:
 *   an unknown verdict never counts as support, and
 *   a chain without any verdict or score that could be read has no confidence and casts no weighted
 *   vote.
 * Functions that only compute cannot fail; functions that need memory take an arena. */
#include <rederive/chain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A figure of many chains with its uncertainty. */
typedef struct rdv_estimate {
    double value, se, low, high; /* NaN where unknown, such as the se of a single question */
    size_t n;                    /* number of observations; each function states which */
} rdv_estimate;

/* ---- integration -------------------------------------------------------------------------- */

/* How an unknown verdict or a missing score counts. */
typedef enum rdv_unknown_as {
    RDV_UNKNOWN_NEUTRAL = 0, /* as unrelated; a missing score is left out (default) */
    RDV_UNKNOWN_CONTRADICT,  /* as contradict; a missing score as 0 */
    RDV_UNKNOWN_NULL         /* a single one makes the whole confidence null */
} rdv_unknown_as;

/* SelfCheck, section 3.3: w = 2 * sigmoid(-l1 * #contradict - l0 * #unrelated). */
typedef struct rdv_integration {
    double l1, l0; /* l1 > l0 >= 0, finite */
    rdv_unknown_as unknown;
} rdv_integration;

/* The paper's values: l1 = 1, l0 = 0.3, neutral. */
RDV_API rdv_integration rdv_integration_default(void);

/* How many verdicts of each kind a chain received. */
typedef struct rdv_verdict_counts {
    size_t contradict, unrelated, support, unknown;
} rdv_verdict_counts;

/* Counts `n` verdicts without changing them. Cannot fail, owns nothing; any thread may call it. */
RDV_API rdv_verdict_counts rdv_count_verdicts(const rdv_verdict *verdicts, size_t n);

/* The confidence in [0,1]; NaN when there is no verdict or all are unknown, and with
 * RDV_UNKNOWN_NULL when any is unknown. A neutral unknown verdict costs l0. Where l0 is 0 (for a
 * method in which an unrelated step costs nothing) it costs 0.3, or l1 if that is smaller (ours),
 * so that it still counts less than support. `how` must have l1 > l0 >= 0, both finite. */
RDV_API double rdv_integrate(const rdv_integration *how, rdv_verdict_counts counts);

/* ---- aggregation of step scores ----------------------------------------------------------- */

typedef enum rdv_aggregate_kind {
    RDV_AGGREGATE_MIN = 0,
    RDV_AGGREGATE_PRODUCT,
    RDV_AGGREGATE_GEOMETRIC, /* general-purpose verification, section 3.3 */
    RDV_AGGREGATE_MEAN,
    RDV_AGGREGATE_LAST
} rdv_aggregate_kind;

#define RDV_N_AGGREGATES 5

typedef struct rdv_aggregation {
    rdv_aggregate_kind kind;
    double floor; /* geometric only: a lower score is raised to this; in [0,1]; 0, the paper's
                     value, means that one score of 0 gives 0 */
    rdv_unknown_as unknown; /* how a missing (not finite) score counts */
} rdv_aggregation;

/* Computes one score from `n` step scores. For min, mean and last, scores may lie outside [0,1]
 * (logits, for example); product and geometric are NaN when a score is negative. NaN when n is 0 or
 * every score is missing. `unknown` decides about a missing score. neutral: min, mean and geometric
 * leave it out; product gives the missing steps the geometric mean of the others (if they were left
 * out, a missing step would weigh like a perfect one); last is NaN when the last score is missing,
 * and an earlier score never replaces it; contradict: it counts as 0; null: the result is NaN. */
RDV_API double rdv_aggregate(const rdv_aggregation *how, const double *scores, size_t n);

/* ---- votes -------------------------------------------------------------------------------- */

/* What one chain contributes to the vote. */
typedef struct rdv_ballot {
    rdv_str key;   /* the canonical answer, equal for equal answers; p == NULL: the answer could not
                      be read */
    double weight; /* confidence, score or perplexity; NaN: none. When summed, at most 2^60 in
                      magnitude */
    int correct;   /* whether that answer is right: 1, 0, or -1 for not known. The first chain of an
                      answer with a known value decides for all chains of that answer */
} rdv_ballot;

typedef enum rdv_select_kind {
    RDV_SELECT_MAJORITY = 0, /* every chain with a readable answer weighs 1 */
    RDV_SELECT_WEIGHTED,     /* the answer with the largest sum of weights */
    RDV_SELECT_BEST,         /* best of N: the answer of the chain with the largest weight */
    RDV_SELECT_PERPLEXITY,   /* the answer of the chain with the smallest weight */
    RDV_SELECT_RANDOM        /* a random chain: no single answer, only probabilities */
} rdv_select_kind;

typedef struct rdv_vote_answer {
    rdv_str key;     /* borrowed from the ballot */
    double weight;   /* the sum of its chains' weights, correctly rounded; best and perplexity: the
                        weight of its best chain (NaN when none has a weight); random: its share of
                        all chains */
    size_t chains;   /* number of chains with this answer, with or without a weight */
    size_t first;    /* index of the first of them */
    bool in_running; /* at least one of its chains cast a vote */
    bool tied;       /* shares the first place with another answer */
    int correct;     /* 1, 0, -1 not known */
} rdv_vote_answer;

#define RDV_NO_ANSWER ((size_t)-1)

typedef struct rdv_vote {
    rdv_vote_answer *answers; /* in the order in which they first appeared */
    size_t n_answers;
    size_t winner;       /* index into answers; RDV_NO_ANSWER: no vote was cast, or the selection is
                            random */
    size_t chain;        /* the winner's first chain, or the best one; RDV_NO_ANSWER: none */
    double weight_share; /* winner's weight over the sum of all answers' weights; best, perplexity:
                            its chains' share of the chains with a readable answer; NaN: no winner,
                            the total is not positive, or an answer's sum is negative */
    size_t n_tied;       /* answers that share the first place: 0 or at least 2 */
    int correct; /* whether the winner is right; 0 when no vote was cast; -1: unknown or random */
    double expected_correct; /* a tie counts as the share of right answers in it; NaN: not known */
    size_t chains, cast;     /* number of ballots; those that cast a vote */
    size_t unread;           /* ballots without a readable answer */
} rdv_vote;

/* Decides the vote of `n` ballots in the chains' order. An answer that could not be read casts no
 * vote and counts as wrong; a ballot without a weight casts none except for majority and random.
 * Sums are exact: they do not depend on the order, and two answers are tied exactly when the sums
 * of their weights are the same real number (ours). A tie is won by the answer whose first chain
 * comes first, or, among chains with the same best weight, by the earlier chain. expected_correct
 * is the share of right ones among the tied answers (among the tied chains for best and
 * perplexity), the share of right chains for random; NaN when the correctness of one of them is not
 * known. When no vote was cast it is 0 if the correctness of any ballot is known, else NaN. out:
 * its answers live in `arena`; untouched on failure. RDV_E_NOMEM; RDV_E_INPUT: a weight that is to
 * be summed is infinite or beyond 2^60. */
RDV_API int rdv_vote_decide(rdv_select_kind how, const rdv_ballot *ballots, size_t n,
                            rdv_arena *arena, rdv_vote *out, rdv_error *err);

/* Writes the outcome of a vote on a question into *result: answer, weight_share, answers, tied,
 * correct, expected_correct and unread; the other members stay as they are. `shown[i]` is the
 * answer of ballot i in the form for people; an answer is shown as its first chain wrote it, and
 * answers that look alike (because they were read as different kinds) are listed as one, with the
 * sum of their weights. The lists are made in `arena`; *result is untouched on failure.
 * RDV_E_NOMEM. */
RDV_API int rdv_vote_result(const rdv_vote *vote, const rdv_str *shown, rdv_arena *arena,
                            rdv_result *result, rdv_error *err);

/* ---- stopping early ----------------------------------------------------------------------- */

typedef enum rdv_stop_kind {
    RDV_STOP_NONE = 0,
    RDV_STOP_CERTAIN,  /* no remaining chain can change the answer */
    RDV_STOP_POSTERIOR /* the probability that the leader changes is at most p */
} rdv_stop_kind;

typedef struct rdv_stop {
    rdv_stop_kind kind;
    double p;         /* posterior only: in (0, 0.5) */
    double low, high; /* declared bounds of one chain's weight; both 0: the default, 0 and 1 */
    bool
        answers_known; /* certain only: the answers of all chains are known in advance, and only
                          their weights are still unknown. Announce them with rdv_tally_expect(). */
} rdv_stop;

/* A vote in progress, majority or weighted. */
typedef struct rdv_tally rdv_tally;

/* Creates a tally for `n` chains. `how` is RDV_SELECT_MAJORITY (weights are 1 and the bounds are
 * ignored) or RDV_SELECT_WEIGHTED. The rule is copied. *out lives in `arena`. RDV_E_NOMEM;
 * RDV_E_ARGUMENT: another selection, bounds that are not finite or reversed or beyond 2^60, p out
 * of range, posterior with low < 0. */
RDV_API int rdv_tally_new(rdv_select_kind how, const rdv_stop *rule, size_t n, rdv_arena *arena,
                          rdv_tally **out, rdv_error *err);
/* Announces the answer (borrowed; NULL: unread) of one future chain: with answers_known only, once
 * for each of the n chains, before the first rdv_tally_add(). RDV_E_NOMEM. */
RDV_API int rdv_tally_expect(rdv_tally *tally, rdv_str key, rdv_error *err);
/* Counts the next chain in order. The key is borrowed. A weight outside the bounds is RDV_E_INPUT
 * and is not counted; more than n chains RDV_E_ARGUMENT; an answer that should have been announced
 * and was not, RDV_E_ARGUMENT; RDV_E_NOMEM. O(log answers). */
RDV_API int rdv_tally_add(rdv_tally *tally, const rdv_ballot *ballot, rdv_error *err);
/* Whether the chains not yet counted may be left out.
 * certain: the difference between the leader's sum and the runner-up's is strictly more than the
 * remaining chains can change it, each by at most max(high, -low); so is the leader's sum itself,
 * which rules out a new answer. Every completion within the bounds then has the same single winner,
 * without a tie. The arithmetic is exact.
 * posterior: certain, or I_{1/2}(v1 + 1, v2 + 1) <= p, where v1 and v2 are the sums of the two
 * leading answers (0 if there is only one) divided by `high`. This is the posterior probability,
 * from a uniform prior, that among chains that give one of those two answers the second is more
 * frequent (Adaptive-Consistency, Aggarwal et al. 2023, Beta stopping). Never true before the first
 * vote. Also true when no chain remains; with RDV_STOP_NONE, only then. */
RDV_API bool rdv_tally_settled(const rdv_tally *tally);

/* ---- how often majority voting fails (SelfCheck v2, section 5.1) -------------------------- */

/* Computes the exact probability that majority voting over `n` independent chains fails. A tie
 * counts as the share of wrong answers in it. A chain's answer is right with probability p, is
 * wrong answer i with probability wrong[i], and is unread with the remaining probability. If no
 * chain is read, the vote fails. RDV_E_ARGUMENT: a probability outside [0,1], or a sum above 1 +
 * 1e-9; RDV_E_LIMIT: (n_wrong + 1) * n^3 above 1e9; RDV_E_NOMEM. Absolute error below 1e-9. */
RDV_API int rdv_majority_failure(double p, const double *wrong, size_t n_wrong, size_t n,
                                 rdv_arena *arena, double *out, rdv_error *err);
/* An upper bound on that probability, by Chernoff's method (ours): n_wrong * (1 - (sqrt p - sqrt
 * q)^2)^n, at most 1, where q is the probability of the most frequent wrong answer; 1 unless q < p.
 * The bound printed in the paper, ceil((1-p)/q) * (q/p)^ceil(n/2), does not hold. */
RDV_API double rdv_majority_bound(double p, double q, size_t n_wrong, size_t n);

#ifdef __cplusplus
}
#endif

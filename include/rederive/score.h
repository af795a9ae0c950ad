/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/score.h - from verdicts to a confidence, from confidences to an answer: integration,
 * aggregation, votes, their bounds, and stopping early (spec sections 3 and 7; docs/voting.md).
 *
 * NaN stands for "null": nothing is known. Two rules hold throughout:
 *   an unknown verdict never counts as support, and
 *   a chain of which nothing was read has no confidence and casts no weighted vote.
 * Functions that only compute cannot fail; those that need memory take an arena. */
#include <rederive/chain.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A figure of many chains, with how sure it is. */
typedef struct rdv_estimate {
    double value, se, low, high; /* NaN where unknown: se of a single question, say */
    size_t n;                    /* observations (which ones, the function says) */
} rdv_estimate;

/* ---- integration -------------------------------------------------------------------------- */

/* What an unknown verdict or a missing score counts as. */
typedef enum rdv_unknown_as {
    RDV_UNKNOWN_NEUTRAL = 0, /* as unrelated; a missing score is left out (default) */
    RDV_UNKNOWN_CONTRADICT,  /* as contradict; a missing score as 0 */
    RDV_UNKNOWN_NULL         /* one of them makes the whole confidence null */
} rdv_unknown_as;

/* SelfCheck, section 3.3: w = 2 * sigmoid(-l1 * #contradict - l0 * #unrelated). */
typedef struct rdv_integration {
    double l1, l0; /* l1 > l0 >= 0, finite */
    rdv_unknown_as unknown;
} rdv_integration;

/* l1 = 1, l0 = 0.3, neutral: the paper's. */
RDV_API rdv_integration rdv_integration_default(void);

/* How many verdicts of each kind a chain received. */
typedef struct rdv_verdict_counts {
    size_t contradict, unrelated, support, unknown;
} rdv_verdict_counts;

/* Counts `n` verdicts, which are only read. Cannot fail, owns nothing, from any thread. */
RDV_API rdv_verdict_counts rdv_count_verdicts(const rdv_verdict *verdicts, size_t n);

/* The confidence in [0,1], or NaN when nothing was read: no verdict at all, or only unknown ones;
 * and with RDV_UNKNOWN_NULL when any is unknown. A neutral unknown costs l0; where l0 is 0 (a
 * method for which an unrelated step costs nothing) it costs 0.3, or l1 if that is smaller (ours),
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
    double floor; /* geometric only: a score below this counts as this; in [0,1]; 0 is the paper's
                     (one 0 gives 0) */
    rdv_unknown_as unknown; /* what a missing (not finite) score counts as */
} rdv_aggregation;

/* One score from `n` step scores. Scores may lie outside [0,1] for min, mean and last (logits,
 * say); product and geometric are NaN when a score is negative. NaN when n is 0 or no score is
 * there. A missing score, by `unknown`: neutral: min and mean leave it out; geometric does; product
 * gives the missing steps the geometric mean of the others (left out, a missing step would weigh
 * like a perfect one); last is NaN when the last score is missing, never an earlier step's score;
 *   contradict: it counts as 0; null: the result is NaN. */
RDV_API double rdv_aggregate(const rdv_aggregation *how, const double *scores, size_t n);

/* ---- votes -------------------------------------------------------------------------------- */

/* What one chain brings to the vote. */
typedef struct rdv_ballot {
    rdv_str key;   /* the canonical answer, equal for equal answers; p == NULL: could not be read */
    double weight; /* confidence, score or perplexity; NaN: none. When summed, at most 2^60 in
                      magnitude */
    int correct; /* is that answer right: 1, 0, -1 not known. Of the chains of one answer the first
                    that knows speaks for all */
} rdv_ballot;

typedef enum rdv_select_kind {
    RDV_SELECT_MAJORITY = 0, /* every chain that was read weighs 1 */
    RDV_SELECT_WEIGHTED,     /* the answer with the largest sum of weights */
    RDV_SELECT_BEST,         /* best of N: the answer of the chain with the largest weight */
    RDV_SELECT_PERPLEXITY,   /* the answer of the chain with the smallest weight */
    RDV_SELECT_RANDOM        /* a random chain: no one answer, only chances */
} rdv_select_kind;

typedef struct rdv_vote_answer {
    rdv_str key;     /* borrowed from the ballot */
    double weight;   /* the sum of its chains' weights, correctly rounded; best and perplexity: that
                        of its best chain (NaN when none has a weight); random: its share of all
                        chains */
    size_t chains;   /* how many chains gave this answer, with or without a weight */
    size_t first;    /* index of the first of them */
    bool in_running; /* at least one of its chains cast a vote */
    bool tied;       /* shares the first place with another answer */
    int correct;     /* 1, 0, -1 not known */
} rdv_vote_answer;

#define RDV_NO_ANSWER ((size_t)-1)

typedef struct rdv_vote {
    rdv_vote_answer *answers; /* in the order in which they first appeared */
    size_t n_answers;
    size_t winner; /* index into answers; RDV_NO_ANSWER: no vote was cast, or a random selection */
    size_t chain;  /* the winner's first chain, or the best one; RDV_NO_ANSWER */
    double weight_share; /* winner's weight over the sum of all answers' weights; best, perplexity:
                            its chains' share of the chains read; NaN: no winner, the sum is not
                            positive, or a sum is negative */
    size_t n_tied;       /* answers that share the first place: 0 or at least 2 */
    int correct;         /* of the winner; 0 when no vote was cast; -1 not known, or random */
    double expected_correct; /* a tie counted as the share of it that is right; NaN: not known */
    size_t chains, cast;     /* ballots given; ballots that counted */
    size_t unread;           /* ballots without a readable answer */
} rdv_vote;

/* Decide the vote of `n` ballots in the chains' order. An answer that could not be read casts no
 * vote and counts as wrong; a ballot without a weight casts none except for majority and random.
 * Sums are exact: they do not depend on the order, and two answers are tied exactly when the sums
 * of their weights are the same real number (ours). A tie goes to the answer whose first chain
 * comes first; of chains with the same best weight, the earlier one. expected_correct is the share
 * of right ones among the tied answers (among the tied chains for best and perplexity), the share
 * of right chains for random; unknown (NaN) when one of them is not known. When no vote was cast it
 * is 0 if anything is known about any ballot, else NaN.
 * out: its answers live in `arena`; untouched on failure. RDV_E_NOMEM; RDV_E_INPUT: a weight that
 * is to be summed is infinite or beyond 2^60. */
RDV_API int rdv_vote_decide(rdv_select_kind how, const rdv_ballot *ballots, size_t n,
                            rdv_arena *arena, rdv_vote *out, rdv_error *err);

/* Write the outcome of a vote on a question into *result: answer, weight_share, answers, tied,
 * correct, expected_correct and unread; the other members stay as they are. `shown[i]` is the
 * answer of ballot i as people should see it; an answer is shown as its first chain wrote it, and
 * answers that look alike (read as of different kinds) are listed as one, with the sum of their
 * weights. The lists are made in `arena`; *result is untouched on failure. RDV_E_NOMEM. */
RDV_API int rdv_vote_result(const rdv_vote *vote, const rdv_str *shown, rdv_arena *arena,
                            rdv_result *result, rdv_error *err);

/* ---- stopping early ----------------------------------------------------------------------- */

typedef enum rdv_stop_kind {
    RDV_STOP_NONE = 0,
    RDV_STOP_CERTAIN,  /* nothing that is still to come can change the answer */
    RDV_STOP_POSTERIOR /* the chance that the leader changes is at most p */
} rdv_stop_kind;

typedef struct rdv_stop {
    rdv_stop_kind kind;
    double p;           /* posterior only: in (0, 0.5) */
    double low, high;   /* declared bounds of one chain's weight; both 0: the default, 0 and 1 */
    bool answers_known; /* certain only: the answers of all chains were read beforehand, and only
                           their weights are being found out. Announce them with
                           rdv_tally_expect(). */
} rdv_stop;

/* A vote in progress, majority or weighted. */
typedef struct rdv_tally rdv_tally;

/* A tally for `n` chains. `how` is RDV_SELECT_MAJORITY (weights are 1 and the bounds are ignored)
 * or RDV_SELECT_WEIGHTED. The rule is copied. *out lives in `arena`. RDV_E_NOMEM; RDV_E_ARGUMENT:
 * another selection, bounds that are not finite or reversed or beyond 2^60, p out of range,
 * posterior with low < 0. */
RDV_API int rdv_tally_new(rdv_select_kind how, const rdv_stop *rule, size_t n, rdv_arena *arena,
                          rdv_tally **out, rdv_error *err);
/* Announce the answer (borrowed, NULL: unread) of one chain to come: answers_known only, once for
 * each of the n chains, before the first rdv_tally_add(). RDV_E_NOMEM. */
RDV_API int rdv_tally_expect(rdv_tally *tally, rdv_str key, rdv_error *err);
/* Count the next chain in order. The key is borrowed. A weight outside the bounds is RDV_E_INPUT
 * and is not counted; more than n chains RDV_E_ARGUMENT; an answer that was not announced where it
 * had to be RDV_E_ARGUMENT; RDV_E_NOMEM. O(log answers). */
RDV_API int rdv_tally_add(rdv_tally *tally, const rdv_ballot *ballot, rdv_error *err);
/* Whether the chains not yet counted may be left out.
 * certain: the leader's sum, less the next one's, is strictly more than the remaining chains can
 * change it, each by at most max(high, -low), or (a new answer) than they can add to 0. Every
 * completion within the bounds then has the same single winner, without a tie. Exact arithmetic.
 * posterior: certain, or I_{1/2}(v1 + 1, v2 + 1) <= p, where v1 and v2 are the sums of the two
 * leading answers (0 if there is one only) divided by `high`: the posterior chance, from a uniform
 * prior, that among chains that give one of those two answers the second is the more frequent
 * (Adaptive-Consistency, Aggarwal et al. 2023, Beta stopping). Never before the first vote.
 * True also when no chain remains; with RDV_STOP_NONE only then. */
RDV_API bool rdv_tally_settled(const rdv_tally *tally);

/* ---- how often majority voting fails (SelfCheck v2, section 5.1) -------------------------- */

/* The exact chance that majority voting over `n` independent chains fails, a tie counting as the
 * share of it that is wrong; chain answers are right with chance p, wrong answer i with chance
 * wrong[i], and unread with what is left. No chain read is a failure.
 * RDV_E_ARGUMENT: a chance outside [0,1], or a sum above 1 + 1e-9; RDV_E_LIMIT:
 * (n_wrong + 1) * n^3 above 1e9; RDV_E_NOMEM. Absolute error below 1e-9. */
RDV_API int rdv_majority_failure(double p, const double *wrong, size_t n_wrong, size_t n,
                                 rdv_arena *arena, double *out, rdv_error *err);
/* An upper bound on it, by Chernoff's method (ours): n_wrong * (1 - (sqrt p - sqrt q)^2)^n, at most
 * 1, where q is the chance of the commonest wrong answer; 1 unless q < p. The bound printed in the
 * paper, ceil((1-p)/q) * (q/p)^ceil(n/2), does not hold. */
RDV_API double rdv_majority_bound(double p, double q, size_t n_wrong, size_t n);

#ifdef __cplusplus
}
#endif

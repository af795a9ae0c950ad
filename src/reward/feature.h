/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The features by name. A model file names those that it was trained on, so a line may be added or
 * moved; one that is measured in another way needs another name. */
#include <rederive/reward.h>

/* X(name, family, what it says) */
#define REWARD_FEATURES(X)                                                                         \
    /* What the exact checker says. */                                                             \
    X(calc_right, CALCULATION, "calculations that are right")                                      \
    X(calc_rounded, CALCULATION, "calculations that are right after rounding")                     \
    X(calc_wrong, CALCULATION, "calculations that are wrong")                                      \
    X(calc_undecided, CALCULATION, "calculations that could not be decided")                       \
    /* Against the question and the earlier steps. */                                              \
    X(numbers, AGREEMENT, "numbers")                                                               \
    X(numbers_new, AGREEMENT, "numbers that stand neither in the question nor in earlier steps")   \
    X(numbers_new_share, AGREEMENT, "their share of all numbers")                                  \
    X(numbers_asked_share, AGREEMENT, "share of numbers that stand in the question")               \
    X(number_first_new, AGREEMENT, "whether the first number is new")                              \
    X(result_used, AGREEMENT, "whether the last number of the step before occurs")                 \
    X(magnitude, AGREEMENT, "log10 of the largest number")                                         \
    X(decimals, AGREEMENT, "numbers with a decimal point")                                         \
    X(words_new, AGREEMENT, "words that stand neither in the question nor in earlier steps")       \
    X(words_new_share, AGREEMENT, "their share of all words")                                      \
    X(words_asked_share, AGREEMENT, "share of words that stand in the question")                   \
    X(words_before_share, AGREEMENT, "share of words that stand in the step before")               \
    X(names_new, AGREEMENT, "capitalised words within a sentence that are new")                    \
    X(quoted_new, AGREEMENT, "quoted texts whose words are new")                                   \
    X(marks_before_share, AGREEMENT, "share of other tokens that stand in the step before")        \
    X(asked_overlap, AGREEMENT, "words shared with the nearest sentence of the question")          \
    X(asked_move, AGREEMENT, "how far that sentence is behind the one of the step before")         \
    X(concluded_new_share, AGREEMENT, "share of new words after the last 'so' or 'therefore'")     \
    X(answer_known, AGREEMENT, "share of the announced answer that the earlier steps have")        \
    /* Listings, assignments, orders and brackets against what stood before. */                    \
    X(order_held, CONSISTENCY, "neighbours in 'a < b' listings of texts and numbers in order")     \
    X(order_broken, CONSISTENCY, "neighbours there that are not in order")                         \
    X(listing_held, CONSISTENCY, "listings whose items are those of an earlier listing")           \
    X(listing_broken, CONSISTENCY, "listings that lack, add or repeat items")                      \
    X(spelling_held, CONSISTENCY, "letters said of quoted words, and numbers of letters: right")   \
    X(spelling_broken, CONSISTENCY, "letters said of quoted words, and numbers of letters: wrong") \
    X(assigned, CONSISTENCY, "pairs 'X: Y', 'X is Y' in a list of them")                           \
    X(assigned_twice, CONSISTENCY, "values that two names have at once")                           \
    X(assigned_lost, CONSISTENCY, "values of the earlier list that none has any more")             \
    X(assigned_unsaid, CONSISTENCY, "changed pairs of which the rest of the step names neither")   \
    X(assigned_kept, CONSISTENCY, "names that the step speaks of and that change nothing")         \
    X(assigned_new, CONSISTENCY, "names of a list that nothing before has")                        \
    X(assigned_held, CONSISTENCY, "pairs about which all that is well")                            \
    X(rank_held, CONSISTENCY, "ranks ('third', 'second from the end') that the list bears out")    \
    X(rank_broken, CONSISTENCY, "ranks that it does not")                                          \
    X(rank_unfounded, CONSISTENCY,                                                                 \
      "ranks that the step gives no reason for, while others are free")                            \
    X(bracket_held, CONSISTENCY, "runs of brackets that follow from the earlier run")              \
    X(bracket_broken, CONSISTENCY, "runs of brackets that do not")                                 \
    X(held, CONSISTENCY, "all that held, right calculations too")                                  \
    X(broken, CONSISTENCY, "all that broke, wrong calculations too")                               \
    X(broken_kinds, CONSISTENCY, "how many kinds of check broke")                                  \
    X(broken_share, CONSISTENCY, "what broke, of all that was looked at")                          \
    X(broken_before, CONSISTENCY, "kinds of check that broke in earlier steps")                    \
    X(broken_first, CONSISTENCY, "whether this is the first step in which something broke")        \
    /* Form. */                                                                                    \
    X(same_as_before, FORM, "whether it is the step before again")                                 \
    X(same_as_earlier, FORM, "whether it is an earlier step again")                                \
    X(trigrams_before, FORM, "share of its word triples that stand in the step before")            \
    X(trigrams_earlier, FORM, "share of its word triples that stand in any earlier step")          \
    X(trigrams_asked, FORM, "share of its word triples that stand in the question")                \
    X(tokens, FORM, "words, numbers and marks")                                                    \
    X(tokens_by_before, FORM, "their number by that of the step before, as a logarithm")           \
    X(tokens_by_mean, FORM, "their number by the mean of the earlier steps, as a logarithm")       \
    X(sentences, FORM, "sentences")                                                                \
    X(lines, FORM, "lines")                                                                        \
    X(digits_share, FORM, "share of digits")                                                       \
    X(letters_share, FORM, "share of letters")                                                     \
    X(capitals_share, FORM, "share of capitals among letters")                                     \
    X(marks_share, FORM, "share of punctuation")                                                   \
    X(backslashes, FORM, "backslashes of LaTeX")                                                   \
    X(equals, FORM, "equals signs")                                                                \
    X(equals_chain, FORM, "the longest run of equals signs in one sentence")                       \
    X(fractions, FORM, "fractions")                                                                \
    X(powers, FORM, "powers")                                                                      \
    X(inequalities, FORM, "signs of order")                                                        \
    X(letters_alone, FORM, "letters that stand alone")                                             \
    X(concludes, FORM, "whether it says so, thus, hence or therefore")                             \
    X(reasons, FORM, "whether it says because, since or as")                                       \
    X(turns, FORM, "whether it says wait, but, however or actually")                               \
    X(hedges, FORM, "whether it says about, suppose, assume, approximately or likely")             \
    X(negates, FORM, "whether it says not, no, cannot or never")                                   \
    X(generalises, FORM, "whether it says all, any, every, always or only")                        \
    X(asks, FORM, "whether it holds a question mark")                                              \
    X(answers, FORM, "whether it announces the answer")                                            \
    X(plans, FORM, "whether it says need, must, first, let or will")                               \
    X(asked_tokens, FORM, "tokens of the question")                                                \
    X(asked_numbers, FORM, "numbers of the question")                                              \
    /* How far the chain is. */                                                                    \
    X(index, POSITION, "steps before this one")                                                    \
    X(first, POSITION, "whether it is the first step")                                             \
    X(index_by_asked, POSITION, "steps before this one, by the question's sentences")              \
    X(tokens_before, POSITION, "tokens of all earlier steps")                                      \
    X(numbers_before, POSITION, "numbers of all earlier steps")                                    \
    X(calc_before, POSITION, "calculations of all earlier steps")                                  \
    X(answered_before, POSITION, "whether an earlier step announced the answer")                   \
    /* Log-probabilities. */                                                                       \
    X(logprob_mean, PROBABILITY, "mean log-probability of its tokens")                             \
    X(logprob_least, PROBABILITY, "the least of them")                                             \
    X(logprob_by_before, PROBABILITY, "the mean against that of the earlier steps")

#define REWARD_ENUM(name, family, about) F_##name,
enum { REWARD_FEATURES(REWARD_ENUM) N_FEATURES };

/* The place of the feature of that name, or N_FEATURES. */
size_t reward_feature_named(rdv_str name);
/* A hash of all names in their order. */
uint64_t reward_features_hash(void);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The features by name. A model file names those that it was trained on, so a line may be added or
 * moved; one that is measured in another way needs another name. */
#include <rederive/reward.h>

/* X(name, family, kind, what it says). Kinds: FAULT counts what is wrong in itself, FAULTS sums
 * such counts up, and PLAIN is neither. */
#define REWARD_FEATURES(X)                                                                         \
    /* What the exact checker says. */                                                             \
    X(calc_right, CALCULATION, PLAIN, "calculations that are right")                               \
    X(calc_rounded, CALCULATION, PLAIN, "calculations that are right after rounding")              \
    X(calc_wrong, CALCULATION, FAULT, "calculations that are wrong")                               \
    X(calc_undecided, CALCULATION, PLAIN, "calculations that could not be decided")                \
    /* Against the question and the earlier steps. */                                              \
    X(numbers, AGREEMENT, PLAIN, "numbers")                                                        \
    X(numbers_new, AGREEMENT, PLAIN,                                                               \
      "numbers that stand neither in the question nor in earlier steps")                           \
    X(numbers_new_share, AGREEMENT, PLAIN, "their share of all numbers")                           \
    X(numbers_asked_share, AGREEMENT, PLAIN, "share of numbers that stand in the question")        \
    X(number_first_new, AGREEMENT, PLAIN, "whether the first number is new")                       \
    X(result_used, AGREEMENT, PLAIN, "whether the last number of the step before occurs")          \
    X(magnitude, AGREEMENT, PLAIN, "log10 of the largest number")                                  \
    X(decimals, AGREEMENT, PLAIN, "numbers with a decimal point")                                  \
    X(words_new, AGREEMENT, PLAIN,                                                                 \
      "words that stand neither in the question nor in earlier steps")                             \
    X(words_new_share, AGREEMENT, PLAIN, "their share of all words")                               \
    X(words_asked_share, AGREEMENT, PLAIN, "share of words that stand in the question")            \
    X(words_before_share, AGREEMENT, PLAIN, "share of words that stand in the step before")        \
    X(names_new, AGREEMENT, PLAIN, "capitalised words within a sentence that are new")             \
    X(quoted_new, AGREEMENT, PLAIN, "quoted texts whose words are new")                            \
    X(marks_before_share, AGREEMENT, PLAIN, "share of other tokens that stand in the step before") \
    X(asked_overlap, AGREEMENT, PLAIN, "words shared with the nearest sentence of the question")   \
    X(asked_move, AGREEMENT, PLAIN, "how far that sentence is behind the one of the step before")  \
    X(concluded_new_share, AGREEMENT, PLAIN,                                                       \
      "share of new words after the last 'so' or 'therefore'")                                     \
    X(answer_known, AGREEMENT, PLAIN, "share of the announced answer that the earlier steps have") \
    /* Listings, assignments, orders and brackets against what stood before. */                    \
    X(order_held, CONSISTENCY, PLAIN,                                                              \
      "neighbours in 'a < b' listings of texts and numbers in order")                              \
    X(order_broken, CONSISTENCY, FAULT, "neighbours there that are not in order")                  \
    X(listing_held, CONSISTENCY, PLAIN, "listings whose items are those of an earlier listing")    \
    X(listing_broken, CONSISTENCY, FAULT, "listings that lack, add or repeat items")               \
    X(spelling_held, CONSISTENCY, PLAIN,                                                           \
      "letters said of quoted words, and numbers of letters: right")                               \
    X(spelling_broken, CONSISTENCY, FAULT,                                                         \
      "letters said of quoted words, and numbers of letters: wrong")                               \
    X(assigned, CONSISTENCY, PLAIN, "pairs 'X: Y', 'X is Y' in a list of them")                    \
    X(assigned_twice, CONSISTENCY, FAULT, "values that two names have at once")                    \
    X(assigned_lost, CONSISTENCY, FAULT, "values of the earlier list that none has any more")      \
    X(assigned_unsaid, CONSISTENCY, FAULT,                                                         \
      "changed pairs of which the rest of the step names neither")                                 \
    X(assigned_kept, CONSISTENCY, FAULT, "names that the step speaks of and that change nothing")  \
    X(assigned_new, CONSISTENCY, FAULT, "names of a list that nothing before has")                 \
    X(assigned_held, CONSISTENCY, PLAIN, "pairs about which all that is well")                     \
    X(rank_held, CONSISTENCY, PLAIN,                                                               \
      "ranks ('third', 'second from the end') that the list bears out")                            \
    X(rank_broken, CONSISTENCY, FAULT, "ranks that it does not")                                   \
    X(rank_unfounded, CONSISTENCY, FAULT,                                                          \
      "ranks that the step gives no reason for, while others are free")                            \
    X(bracket_held, CONSISTENCY, PLAIN, "runs of brackets that follow from the earlier run")       \
    X(bracket_broken, CONSISTENCY, FAULT, "runs of brackets that do not")                          \
    X(held, CONSISTENCY, PLAIN, "all that held, right calculations too")                           \
    X(broken, CONSISTENCY, FAULTS, "all that broke, wrong calculations too")                       \
    X(broken_kinds, CONSISTENCY, FAULTS, "how many kinds of check broke")                          \
    X(broken_share, CONSISTENCY, PLAIN, "what broke, of all that was looked at")                   \
    X(broken_before, CONSISTENCY, FAULTS, "kinds of check that broke in earlier steps")            \
    X(broken_first, CONSISTENCY, FAULTS,                                                           \
      "whether this is the first step in which something broke")                                   \
    /* Form. */                                                                                    \
    X(same_as_before, FORM, PLAIN, "whether it is the step before again")                          \
    X(same_as_earlier, FORM, PLAIN, "whether it is an earlier step again")                         \
    X(trigrams_before, FORM, PLAIN, "share of its word triples that stand in the step before")     \
    X(trigrams_earlier, FORM, PLAIN, "share of its word triples that stand in any earlier step")   \
    X(trigrams_asked, FORM, PLAIN, "share of its word triples that stand in the question")         \
    X(tokens, FORM, PLAIN, "words, numbers and marks")                                             \
    X(tokens_by_before, FORM, PLAIN, "their number by that of the step before, as a logarithm")    \
    X(tokens_by_mean, FORM, PLAIN,                                                                 \
      "their number by the mean of the earlier steps, as a logarithm")                             \
    X(sentences, FORM, PLAIN, "sentences")                                                         \
    X(lines, FORM, PLAIN, "lines")                                                                 \
    X(digits_share, FORM, PLAIN, "share of digits")                                                \
    X(letters_share, FORM, PLAIN, "share of letters")                                              \
    X(capitals_share, FORM, PLAIN, "share of capitals among letters")                              \
    X(marks_share, FORM, PLAIN, "share of punctuation")                                            \
    X(backslashes, FORM, PLAIN, "backslashes of LaTeX")                                            \
    X(equals, FORM, PLAIN, "equals signs")                                                         \
    X(equals_chain, FORM, PLAIN, "the longest run of equals signs in one sentence")                \
    X(fractions, FORM, PLAIN, "fractions")                                                         \
    X(powers, FORM, PLAIN, "powers")                                                               \
    X(inequalities, FORM, PLAIN, "signs of order")                                                 \
    X(letters_alone, FORM, PLAIN, "letters that stand alone")                                      \
    X(concludes, FORM, PLAIN, "whether it says so, thus, hence or therefore")                      \
    X(reasons, FORM, PLAIN, "whether it says because, since or as")                                \
    X(turns, FORM, PLAIN, "whether it says wait, but, however or actually")                        \
    X(hedges, FORM, PLAIN, "whether it says about, suppose, assume, approximately or likely")      \
    X(negates, FORM, PLAIN, "whether it says not, no, cannot or never")                            \
    X(generalises, FORM, PLAIN, "whether it says all, any, every, always or only")                 \
    X(asks, FORM, PLAIN, "whether it holds a question mark")                                       \
    X(answers, FORM, PLAIN, "whether it announces the answer")                                     \
    X(plans, FORM, PLAIN, "whether it says need, must, first, let or will")                        \
    X(asked_tokens, FORM, PLAIN, "tokens of the question")                                         \
    X(asked_numbers, FORM, PLAIN, "numbers of the question")                                       \
    /* How far the chain is. */                                                                    \
    X(index, POSITION, PLAIN, "steps before this one")                                             \
    X(first, POSITION, PLAIN, "whether it is the first step")                                      \
    X(index_by_asked, POSITION, PLAIN, "steps before this one, by the question's sentences")       \
    X(tokens_before, POSITION, PLAIN, "tokens of all earlier steps")                               \
    X(numbers_before, POSITION, PLAIN, "numbers of all earlier steps")                             \
    X(calc_before, POSITION, PLAIN, "calculations of all earlier steps")                           \
    X(answered_before, POSITION, PLAIN, "whether an earlier step announced the answer")            \
    /* Log-probabilities. */                                                                       \
    X(logprob_mean, PROBABILITY, PLAIN, "mean log-probability of its tokens")                      \
    X(logprob_least, PROBABILITY, PLAIN, "the least of them")                                      \
    X(logprob_by_before, PROBABILITY, PLAIN, "the mean against that of the earlier steps")

#define REWARD_ENUM(name, family, kind, about) F_##name,
enum { REWARD_FEATURES(REWARD_ENUM) N_FEATURES };

typedef enum feature_kind { FEATURE_PLAIN, FEATURE_FAULT, FEATURE_FAULTS } feature_kind;

feature_kind reward_feature_kind(size_t feature);
/* The place of the feature of that name, or N_FEATURES. */
size_t reward_feature_named(rdv_str name);

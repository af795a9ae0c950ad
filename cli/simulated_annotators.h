/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Annotators of generated solutions: programs that know the label and slip now and then. They stand
 * in for people where a trial needs several annotators, and are named "simulated-1" and so on. */
#include <rederive/chain.h>

/* Add the step labels of `n` annotators to a chain with a label, in `arena`. By "correct" they mark
 * the steps up to the first that they take for wrong, as people do (BIG-Bench Mistake 2.1.1); by
 * "relevance", "math" and "consistency" every step. Each mark is flipped with probability 1/50. The
 * wrong step lacks math or consistency, or, in one case of ten, only correctness. The same chain id
 * and seed give the same labels. RDV_E_NOMEM. */
int simulated_annotators(rdv_chain *chain, uint64_t n, uint64_t seed, rdv_arena *arena,
                         rdv_error *err);

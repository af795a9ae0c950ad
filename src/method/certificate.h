/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A certificate says of a chain that every step was decided, that what each step rests on is in the
 * question or was found before, and that the answer follows; else it says what is missing
 * (docs/adr/0064). It does not say that the question was understood. */
#include <rederive/chain.h>
#include <rederive/method.h>

typedef struct certificate_gap {
    size_t step; /* RDV_WHOLE_CHAIN: of the chain */
    rdv_str why;
} certificate_gap;

typedef struct certificate {
    bool certified; /* there is no gap */
    certificate_gap *gaps;
    size_t n_gaps;
} certificate;

/* Can a check by this method be certified? */
bool certificate_has(rdv_str method);
/* The certificate of the chain by its `check`. options: as the check had them. answer: the chain's
 * answer as it stands; p == NULL: none could be read. Everything in `arena`. RDV_E_NOMEM. */
int certificate_of(const rdv_chain *chain, const rdv_check *check, const rdv_check_options *options,
                   rdv_str answer, rdv_arena *arena, certificate *out, rdv_error *err);

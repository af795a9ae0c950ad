/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* check --certify: the certificate of a chain as a member of its record. */
#include "methods.h"

#include "base/buf.h"

/* False: --certify has no effect with the other options; the reason was printed. */
bool certify_usable(const struct settings *settings, const struct methods *methods);
/* Put "certificate" of the chain by its last check, made with those options, into
 * `members`; a chain that is certified counts in *certified. RDV_E_NOMEM. */
int certify_put(const rdv_chain *chain, const rdv_check *check, const rdv_check_options *options,
                uint64_t *certified, rdv_arena *arena, rdv_buf *members);

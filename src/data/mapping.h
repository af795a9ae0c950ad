/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where the user says that a record has its parts. */
#include "data/chain_builder.h"
#include "data/member_path.h"

typedef struct rdv_mapping {
    rdv_member_path question, steps, gold, id;
    rdv_member_path answer, text; /* of a pair */
    bool any;
} rdv_mapping;

/* From the paths in `options`, which are borrowed; the rest is in `arena`. RDV_E_ARGUMENT,
 * RDV_E_NOMEM. */
int rdv_mapping_read(rdv_mapping *mapping, const rdv_read_options *options, rdv_arena *arena,
                     rdv_error *err);
/* The first path that is not in the record, *part saying what is there ("steps"); NULL: all are. */
const char *rdv_mapping_lacks(const rdv_mapping *mapping, rdv_members *in, const char **part);
/* The text at the path; of a list its first, as where several answers are right. p == NULL: null.
 */
rdv_str rdv_mapping_text(rdv_chain_builder *m, const rdv_member_path *path);
/* Set the mapped parts of the chain, in place of those that a format's reader set. What it set of
 * the replaced steps (their answer, label, scores, checks) goes with them, and the kind of a
 * replaced gold answer with that. */
void rdv_mapping_apply(const rdv_mapping *mapping, rdv_chain_builder *m);

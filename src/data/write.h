/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Parts of records as JSON, for the writer and for making records out of the public formats. */
#include "base/buf.h"
#include "base/map.h"
#include <rederive/data.h>

/* The brace that a record begins with, and its version. */
void rdv_write_begin(rdv_buf *b);
/* The members of an item of "step_labels": the annotator, the criterion, and each step's label. */
void rdv_write_labels(rdv_buf *b, const rdv_step_labels *labels);
/* "step_labels", where the chain has some and `have` (may be NULL) has not. */
void rdv_write_step_labels(rdv_buf *b, const rdv_chain *chain, const rdv_map *have);
/* The members of a chain record, those that the chain has and whose name `have` (may be NULL)
 * lacks. */
void rdv_write_chain(rdv_buf *b, const rdv_chain *chain, const rdv_map *have);
/* The checks of a chain: the last one at the top, and all under "checks" if there are several. */
void rdv_write_checks(rdv_buf *b, const rdv_chain *chain);
/* The members of one check, except for its method. */
void rdv_write_check(rdv_buf *b, const rdv_check *check);
/* The member "coverage". */
void rdv_write_coverage(rdv_buf *b, const rdv_coverage *coverage);
/* Is this a member that rdv_write_checks() writes? */
bool rdv_is_check_member(rdv_str name);
/* Is this a member that is true of the record's own steps only? */
bool rdv_tells_of_steps(rdv_str name);

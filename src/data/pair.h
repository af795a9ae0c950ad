/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* An answer beside the right one, which is all that grading needs: rdv_read_options.pairs. */
#include "data/mapping.h"

/* Is the record a pair: has it a gold answer and an answer or a text that states one, where the
 * paths or the members' own names say, and no steps? named: the gold answer may have any of its
 * usual names, and `solution` beside a text is one; else only "gold". */
bool rdv_is_pair(const rdv_mapping *mapping, const rdv_members *in, bool named);
/* Make it into m->out->pair, with its options and the kind of its answers. */
void rdv_read_pair(const rdv_mapping *mapping, rdv_chain_builder *m);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading Rederive's own records. */
#include "data/chain_builder.h"

/* A chain, or a question: question, steps or solution, and all that docs/records.md lists. */
void rdv_native_read(rdv_chain_builder *m);
/* The same of a record that has to have a solution or its steps. */
void rdv_native_solution(rdv_chain_builder *m);
/* What checks left in the record: the members at the top and under "checks". */
void rdv_native_checks(rdv_chain_builder *m);
/* A result of `vote` or `solve`. */
void rdv_native_result(rdv_chain_builder *m);

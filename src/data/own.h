/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Reading Rederive's own records. */
#include "data/make.h"

/* A chain, or a question: question, steps or solution, and all that docs/records.md lists. */
void rdv_own_read(rdv_making *m);
/* What checks left in the record: the members at the top and under "checks". */
void rdv_own_checks(rdv_making *m);
/* A result of `vote` or `solve`. */
void rdv_own_result(rdv_making *m);

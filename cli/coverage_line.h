/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How many calculations were checked and which were not read, in a summary. */
#include <rederive/chain.h>

#include <stdio.h>

/* A line on standard error; none where no calculation was seen. */
void coverage_line(const rdv_coverage *coverage);
/* The member "coverage" of a summary, with a comma before it. */
void coverage_json(const rdv_coverage *coverage, FILE *out);

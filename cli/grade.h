/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which records a command accepts, and how their answers are graded. */
#include "settings.h"

#include <rederive/answer.h>
#include <rederive/data.h>

/* Whether the record has a question and, in place of a solution, the reason why there is none. */
bool grade_lacks_solution(const rdv_record *record);
/* RDV_OK when the record is a chain: it has steps, an empty list of steps, or an answer. Else
 * RDV_E_INPUT with a message that names its kind. */
int grade_takes(const rdv_record *record, rdv_error *err);
/* RDV_E_INPUT with the reason for which the source of the record has no chain: an earlier command's
 * error, or a model's request that failed. */
int grade_failed(const rdv_record *record, rdv_error *err);
/* The settings of --answer-source and --correct-from. */
rdv_grading grade_options(const struct settings *settings);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which records a command takes, and how their answers are graded. */
#include "settings.h"

#include <rederive/answer.h>
#include <rederive/data.h>

/* RDV_OK when the record is a chain: it has steps, or an empty list of them, or an answer. Else
 * RDV_E_INPUT and what it is instead. */
int grade_takes(const rdv_record *record, rdv_error *err);
/* What --answer-source and --correct-from say. */
rdv_grading grade_options(const struct settings *settings);

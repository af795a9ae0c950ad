/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The study "combined": scorers fitted together on some questions, and the accuracy of votes with
 * each alone and with all on others (docs/voting.md). */
#include "score/combined.h"
#include "study/study.h"

/* The combination that a finished study "combined" fitted on all chains that it may fit on: those
 * learned, or those of part 0, or with cross-validation all of them. Borrowed from the study. */
const combined_model *study_combined_model(const rdv_study *study);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Answers that choose several options or statements: "A, C", "B and D", "I and II", "II only". */
#include <rederive/base.h>

/* Whether an answer chooses what gold does, where gold names two letters or more, or numbers of
 * statements in Roman digits. The answer's choices are those at its end: "options D and B." False:
 * one of both is no such text. */
bool choices_compare(rdv_str answer, rdv_str gold, rdv_str question, bool *same);

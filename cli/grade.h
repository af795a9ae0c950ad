/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How answers are graded, by the options. */
#include "settings.h"

#include <rederive/answer.h>

/* The settings of --answer-source and --correct-from. */
rdv_grading grade_options(const struct settings *settings);

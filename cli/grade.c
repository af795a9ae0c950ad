/* SPDX-License-Identifier: Apache-2.0 */
#include "grade.h"

#include <string.h>

rdv_grading grade_options(const struct settings *settings)
{
    return (rdv_grading){.read_steps = strcmp(settings->answer_source, "read") == 0,
                         .source_first = strcmp(settings->correct_from, "source") == 0};
}

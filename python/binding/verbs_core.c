/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/command.h"

#include "cmd.h"

const struct binding_verb binding_verbs[] = {
    {"grade", cmd_grade}, {"vote", cmd_vote}, {"eval", cmd_eval}, {"convert", cmd_convert}, {0}};

/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/command.h"

#include "cmd.h"

const struct binding_verb binding_verbs[] = {
    {"check", cmd_check}, {"solve", cmd_solve}, {"repair", cmd_repair}, {0}};

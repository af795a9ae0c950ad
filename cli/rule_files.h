/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The rules of language that --rules-dir and --disable-rule name. */
#include "settings.h"

#include <rederive/rules.h>

/* The built-in rules with those of the folder, without those that are switched off, in `arena`.
 * RDV_E_IO, RDV_E_INPUT, RDV_E_LIMIT, RDV_E_NOMEM, with a message. */
int rule_files_read(const struct settings *settings, rdv_arena *arena, rdv_rules **out,
                    rdv_error *err);

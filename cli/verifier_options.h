/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the command line says of verifiers, and of how much of a chain is checked. */
#include "settings.h"

#include <rederive/method.h>

/* Read the settings into *options, whose other members stay. RDV_OK, or RDV_E_ARGUMENT with the
 * option in the message. */
int verifier_options_read(const struct settings *settings, rdv_check_options *options,
                          rdv_error *err);

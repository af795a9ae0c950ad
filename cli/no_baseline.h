/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Why some tables have no difference to a baseline. */
#include <rederive/base.h>

/* RDV_E_ARGUMENT: --baseline has no effect on the table of that name, with the reason. */
int no_baseline(const char *table, rdv_error *err);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The methods and weights that --method, --lambda and --unknown name. */
#include "settings.h"

#include <rederive/method.h>

#define MAX_METHODS 8

struct methods {
    const rdv_method *is[MAX_METHODS];
    size_t n;
    const char *asks; /* the first that asks a model; NULL: all compute */
    rdv_check_options options;
};

/* none: whether "--method none" may be said, which leaves n at 0.
 * DONE, or USAGE when it was said what is wrong. */
int methods_read(struct methods *methods, const struct settings *settings, bool none);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The methods and weights that --method, --lambda and --unknown name. */
#include "settings.h"

#include <rederive/method.h>

#define MAX_METHODS 8
#define MAX_OWN 64 /* in a folder */

/* What is wrong with a method of the user. */
struct method_fault {
    rdv_str name, message;
};

struct methods {
    const rdv_method *is[MAX_METHODS];
    size_t n;
    const rdv_method *own[MAX_OWN]; /* those of --method-dir */
    size_t n_own;
    struct method_fault faults[MAX_OWN]; /* those that cannot be used */
    size_t n_faults;
    const char *asks; /* the first that asks a model; NULL: all compute */
    rdv_check_options options;
    rdv_reward *rewards[MAX_METHODS]; /* step classifiers that "reward:FILE" named */
    size_t n_rewards;
    rdv_arena *arena; /* of the methods made of them; NULL: none */
};

/* none: whether "--method none" may be said, which leaves n at 0.
 * DONE, or USAGE or NOTHING_DONE when it was said what is wrong. */
int methods_read(struct methods *methods, const struct settings *settings, bool none);
/* Read the methods of --method-dir into methods->own, in the order of their files; what is wrong
 * with one of them into methods->faults. As above. */
int methods_read_own(struct methods *methods, const struct settings *settings);
/* Release what was read; also after a failure. */
void methods_end(struct methods *methods);

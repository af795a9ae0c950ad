/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The methods and weights that --method, --lambda and --unknown name. */
#include "settings.h"

#include <rederive/method.h>

#define MAX_METHODS 8
#define MAX_OWN 64 /* user-defined methods in a folder */

/* The error in a user-defined method. */
struct method_fault {
    rdv_str name, message;
};

struct methods {
    const rdv_method *is[MAX_METHODS];
    size_t n;
    const rdv_method *own[MAX_OWN]; /* from --method-dir */
    size_t n_own;
    struct method_fault faults[MAX_OWN]; /* of methods that cannot be used */
    size_t n_faults;
    const char *asks; /* the first method that asks a model; NULL: none does */
    rdv_check_options options;
    bool unlisted;                    /* nobody reads what checks list: it is only written */
    rdv_reward *rewards[MAX_METHODS]; /* step classifiers of "reward:FILE" */
    size_t n_rewards;
    rdv_arena *arena; /* holds the methods made from them; NULL: none */
};

/* none: whether "--method none" is allowed, which leaves n at 0.
 * Returns DONE, or USAGE or NOTHING_DONE after reporting the error. */
int methods_read(struct methods *methods, const struct settings *settings, bool none);
/* Read the methods of --method-dir into methods->own, in the order of their files, and errors in
 * them into methods->faults. Returns as above. */
int methods_read_own(struct methods *methods, const struct settings *settings);
/* Append a check by each method, of which none asks a model, to those that the chain has. Made in
 * `arena`. Faults: as rdv_check_chain_all(). */
int methods_check(const struct methods *methods, rdv_chain *chain, rdv_arena *arena,
                  rdv_error *err);
/* Release what was read; must be called after a failure too. */
void methods_end(struct methods *methods);

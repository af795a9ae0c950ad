/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Labels that contradict what a method has proven of their steps (docs/adr/0063). Only a method
 * that decides exactly proves: `calculations`, and those that follow a task. */
#include <rederive/chain.h>

typedef enum label_conflict_kind {
    LABEL_CONFLICT_EARLIER, /* a step before the labelled one is proven wrong */
    LABEL_CONFLICT_RIGHT,   /* the labelled step, and all before it, are proven right */
    LABEL_CONFLICT_MISSING, /* the chain is labelled as free of errors; a step is proven wrong */
    LABEL_CONFLICT_STEP,    /* a step has a label of its own that calls it right; it is proven
                               wrong */
    LABEL_CONFLICT_KINDS
} label_conflict_kind;

/* "earlier", "right", "missing", "step": a static string. */
const char *label_conflict_name(label_conflict_kind is);

typedef struct label_conflict {
    label_conflict_kind is;
    size_t step;                /* that is proven wrong, or right */
    const rdv_verdict *verdict; /* of that step */
} label_conflict;

/* Has the chain a label, of the first wrong step or of a step's correctness? */
bool label_conflict_labelled(const rdv_chain *chain);
/* The conflicts of the chain's labels with `check`, by step; at most one of the chain's label, and
 * one for each step with a label of its own. assume_right: a chain without any label counts as
 * labelled free of errors. *out: in `arena`, *n of them, possibly none. RDV_E_NOMEM. */
int label_conflicts(const rdv_chain *chain, const rdv_check *check, bool assume_right,
                    rdv_arena *arena, label_conflict **out, size_t *n, rdv_error *err);

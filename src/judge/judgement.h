/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A server's reply, judged: the steps of each choice are checked, and the operator's rule says
 * whether the reply is admitted. Verdict and admission are apart: a step that is wrong is never
 * admitted; one in which something was not read or not decided is unknown, whatever else in it is
 * right (docs/adr/0084); one with nothing to check is admitted. No sockets, and any thread. */
#include "judge/rule.h"
#include "judge/stepwise.h"
#include "model/reply_choices.h"
#include <rederive/chain.h>

#define JUDGE_STEP_MS 50    /* processor time of a step, */
#define JUDGE_REPLY_MS 2000 /* and of all steps of a choice */
#define JUDGE_MOST_STEPS 10000
#define JUDGE_MOST_TEXT 500 /* bytes of each text of the reply that a judgement quotes */

typedef struct judged_choice {
    size_t index;
    const rdv_chain *chain; /* NULL: it has no text, or could not be read */
    rdv_check check;        /* without a chain it has no verdicts */
    rdv_str unknown;        /* why something beside the steps is unknown; p == NULL: nothing is */
    size_t n_contradicted;  /* steps */
    bool rejected; /* by the method's own measure, whatever single steps are */
    bool waits;    /* by that measure its steps so far are not accepted yet */
    bool admitted;
    size_t n_reasoning_bytes, n_tool_calls; /* neither is checked */
    bool refused;                           /* by the model */
} judged_choice;

/* A round in which a rejected step of a stream was drawn again. */
typedef enum judged_repair_kind {
    JUDGED_REPAIR_DRAWN,     /* what was drawn is not judged yet */
    JUDGED_REPAIR_DONE,      /* it took the place of the step */
    JUDGED_REPAIR_REJECTED,  /* it was rejected as well */
    JUDGED_REPAIR_ALL_EQUAL, /* nothing else was drawn */
    JUDGED_REPAIR_FAILED     /* nothing was */
} judged_repair_kind;

typedef struct judged_repair {
    size_t step; /* its number, as verdicts have it */
    judged_repair_kind kind;
    size_t n_samples, n_different;
    const char *selection; /* as rdv_repair.chosen_by */
} judged_repair;

/* What was done to repair a reply. */
typedef struct judged_repairs {
    const judged_repair *rounds;
    size_t n;
    size_t n_rest; /* steps that were written behind a repaired one */
    uint64_t calls, prompt_tokens, completion_tokens;
    rdv_str why; /* why nothing (more) was repaired; p == NULL: not said */
} judged_repairs;

typedef struct judgement {
    judge_rule rule;
    judged_choice *choices;
    size_t n;
    bool admitted; /* every choice is, and there is one */
    const judged_repairs *repairs; /* NULL: nothing was repaired; set by the caller */
} judgement;

/* Judge a reply. `question`: p == NULL: not known. *out: in `arena`, and borrows from `reply`.
 * Faults: RDV_E_NOMEM. Whatever cannot be read makes a choice unknown. */
int judgement_of(const reply_choices *reply, rdv_str question, const judge_rule *rule,
                 rdv_arena *arena, judgement *out, rdv_error *err);
/* What asks a model. `check`: a chain by the rule's method, which it may block for; `unknown`: why
 * the check is not complete; p == NULL: it is. What it gives is valid as long as the judgement. */
typedef struct judge_asker {
    int (*check)(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
                 rdv_str *unknown, rdv_error *err);
    void *of;
    rdv_str why_not; /* check == NULL: why no model can be asked */
} judge_asker;

/* The same by a rule whose method asks a model: judgement_of() leaves its steps unknown. */
int judgement_by_asking(const reply_choices *reply, rdv_str question, const judge_rule *rule,
                        const judge_asker *asker, rdv_arena *arena, judgement *out,
                        rdv_error *err);
/* The same of a reply by JUDGE_STRICT, cut into `steps`, of which what may be sent is set: of each
 * choice the steps before the first one that the rule does not admit. `ended`: the reply is all
 * there. Else what is not there yet is not missed: only the steps that are decided are judged, and
 * what was not read beside them. A step about which the method says nothing waits for the end.
 * `asker`: NULL: no model is asked. */
int judgement_of_steps(const reply_choices *reply, stepwise *steps, bool ended, rdv_str question,
                       const judge_rule *rule, const judge_asker *asker, rdv_arena *arena,
                       judgement *out, rdv_error *err);
/* The first step of a choice that the rule rejects; SIZE_MAX: none. */
size_t judgement_first_rejected(const judgement *j, size_t choice);
/* As the object `rederive` of a response. `quotes`: with texts of the reply, of at most
 * JUDGE_MOST_TEXT bytes each; not where the reply is refused. */
void judgement_write(rdv_buf *b, const judgement *j, bool quotes);
/* Why it is not admitted, in a line without texts of the reply, in `arena`; p == NULL: out of
 * memory. */
rdv_str judgement_says(const judgement *j, rdv_arena *arena);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The rule of a server's operator: how replies are judged, and which are admitted. A request may
 * make it stricter, never looser. */
#include "model/parse.h"

/* When a reply is sent. */
typedef enum judge_mode {
    JUDGE_AFTER, /* as it comes; the verdict comes in its last event */
    JUDGE_WHOLE, /* held until it was judged */
    JUDGE_STRICT /* each step of a stream once it was judged; a reply that is none, as by
                  * JUDGE_WHOLE
                  */
} judge_mode;

/* What of a stream comes before the text, and is not judged: the model's reasoning. */
typedef enum judge_reasoning {
    JUDGE_REASONING_PASS, /* at once */
    JUDGE_REASONING_HOLD  /* with the first step behind it */
} judge_reasoning;

typedef struct judge_rule {
    bool judges_plain; /* requests that do not ask for it are judged too */
    judge_mode mode;   /* the least, with `refuses` */
    bool admits_unknown;
    bool refuses; /* a reply that is not admitted is not sent; by JUDGE_STRICT, which always
                     refuses, no step that is not. Not by JUDGE_AFTER */
    judge_reasoning reasoning; /* by JUDGE_STRICT */
    double threshold; /* a reply with a lower confidence, or none, is not admitted; 0: any is */
} judge_rule;

/* Only what is asked for is judged, by JUDGE_AFTER; unknown is not admitted; nothing is refused. */
judge_rule judge_rule_default(void);
/* "after", "whole", "strict". Static. */
const char *judge_mode_name(judge_mode m);
/* The only method. */
#define JUDGE_METHOD "calculations"

/* Read a rule from a policy file's object; what it does not say is as in `base`. *out may be *base,
 * and is untouched on failure. RDV_OK; RDV_E_INPUT: a member that is not known or has no such
 * value, err says which. */
int judge_rule_read(const json_t *object, const judge_rule *base, judge_rule *out, rdv_error *err);
/* Make the rule stricter, as the member `rederive` of a request asks; NULL: it has none. *out is
 * `rule` then. RDV_OK; RDV_E_INPUT: it is no such object, or would loosen the rule, err says how.
 */
int judge_rule_tighten(const judge_rule *rule, const json_t *asked, judge_rule *out,
                       rdv_error *err);
/* As the member "rule" of a judgement. */
void judge_rule_write(rdv_buf *b, const judge_rule *rule);

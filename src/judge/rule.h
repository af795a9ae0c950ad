/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The rule of a server's operator: how replies are judged, and which are admitted. A request may
 * make it stricter, never looser. */
#include "model/parse.h"
#include <rederive/method.h>

/* When a reply is sent. */
typedef enum judge_mode {
    JUDGE_AFTER, /* as it comes; the verdict comes in its last event */
    JUDGE_WHOLE, /* held until it was judged */
    JUDGE_STRICT /* each step of a stream once it was judged; a reply that is none, as by
                  * JUDGE_WHOLE
                  */
} judge_mode;

/* What of a reply is no text, and is not judged: the model's reasoning. */
typedef enum judge_reasoning {
    JUDGE_REASONING_PASS, /* in a stream by JUDGE_STRICT, once the text before it was judged */
    JUDGE_REASONING_HOLD, /* the same, with the first step behind it */
    JUDGE_REASONING_DROP  /* by no mode; what else is no text, as by JUDGE_REASONING_HOLD */
} judge_reasoning;

#define JUDGE_MOST_METHODS 8 /* that a request may choose from, beside the rule's own */
#define JUDGE_MOST_NAME 128  /* bytes of a model's name, with the NUL */

#define JUDGE_MOST_REPAIRS 100

/* How a method asks a model, or a step is repaired by one, for one reply. */
typedef struct judge_asking {
    char checker[JUDGE_MOST_NAME]; /* the served model that is asked; "": the one that replied */
    uint64_t tokens;               /* most, of requests and replies */
    uint32_t seconds;              /* then what is not answered is unknown */
} judge_asking;

typedef struct judge_rule {
    const rdv_method *method; /* static */
    const rdv_method *others[JUDGE_MOST_METHODS]; /* n_others that a request may ask for instead */
    size_t n_others;
    judge_asking asking; /* of methods that ask a model */
    bool judges_plain; /* requests that do not ask for it are judged too */
    judge_mode mode;   /* the least, with `refuses` */
    bool admits_unknown;
    bool refuses; /* a reply that is not admitted is not sent; by JUDGE_STRICT, which always
                     refuses, no step that is not. Not by JUDGE_AFTER */
    judge_reasoning reasoning;
    uint32_t repairs; /* most rounds in which rejected steps of a stream are drawn again, by
                         JUDGE_STRICT; 0: none is. A repair may use what a check may */
    double threshold; /* a reply with a lower confidence, or none, is not admitted; 0: any is */
} judge_rule;

/* Only what is asked for is judged, by calculations and JUDGE_AFTER; unknown is not admitted;
 * nothing is refused; a check may use 50,000 tokens and a minute. */
judge_rule judge_rule_default(void);
/* "after", "whole", "strict". Static. */
const char *judge_mode_name(judge_mode m);
/* The method that asks no model. */
#define JUDGE_METHOD "calculations"
/* Whether its method asks a model; else it is JUDGE_METHOD. */
bool judge_rule_asks(const judge_rule *rule);

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

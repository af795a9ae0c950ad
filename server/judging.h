/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Judging a reply on a thread of its own, not on the loop's. */
#include "server/loop_threads.h"
#include "server/model_check.h"

struct uv_loop_s;
typedef struct judging judging;

/* *reply, of that protocol and without choices, is to be filled before judging_start(). The
 * question is copied. NULL: out of memory. */
judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply);
/* By a rule whose method asks a model: ask this one, on threads of their own. Borrowed. Before
 * judging_start(). False: out of memory. */
bool judging_ask(judging *j, const model_run_options *model, loop_threads *threads);
/* Or none, since `why`, which is static: all is unknown. */
void judging_ask_none(judging *j, const char *why);
/* What the model was asked for; false: this is not known, since it is still asked. */
bool judging_tokens(const judging *j, uint64_t *in, uint64_t *out);
/* By JUDGE_STRICT: read on what has come. `ended`: that is all. *more: there is something to judge.
 * As stepwise_read(). Not while it runs. */
int judging_read_steps(judging *j, bool ended, bool *more, rdv_error *err);
/* By JUDGE_STRICT: of choice i, as the reply has them, the bytes of its text that may be sent. */
size_t judging_passed(const judging *j, size_t i);
/* By JUDGE_STRICT, not while it runs: the steps of the reply, to put others in their place. */
stepwise *judging_steps(judging *j);
/* The same: what was done to repair the reply, for the object `rederive`; copied. What was drawn
 * and not judged is, by the next judgement. False: more than JUDGE_MOST_REPAIRS rounds. */
bool judging_repaired(judging *j, const judged_repairs *repairs);
/* The same once more, without a judgement: the object says it as of now, for a reply that is
 * refused. False: as above, or out of memory, and there is no judgement any more. */
bool judging_say_again(judging *j, const judged_repairs *repairs);
/* By JUDGE_STRICT, whether so much was spent on the steps so far that the rest is judged at its
 * end. */
bool judging_is_spent(const judging *j);
/* Start; `done` is called on the loop's thread, unless judging_free() was called before. `ended`:
 * the reply is all there; else, by JUDGE_STRICT, its steps so far are judged, and it is started
 * again later. False: it cannot be started. */
bool judging_start(judging *j, bool ended, struct uv_loop_s *loop, void (*done)(void *payload),
                   void *payload);
/* Whether it is done. Then: */
bool judging_is_done(const judging *j);
/* NULL: out of memory. */
const judgement *judging_result(const judging *j);
/* The object `rederive`, which is borrowed; without quotes of the reply where it is not sent. */
rdv_str judging_json(const judging *j);
/* Also while it runs. NULL and *NULL are accepted. */
void judging_free(judging **j);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Judging a reply on a thread of its own, not on the loop's. */
#include "judge/judgement.h"

struct uv_loop_s;
typedef struct judging judging;

/* *reply, of that protocol and without choices, is to be filled before judging_start(). The
 * question is copied. NULL: out of memory. */
judging *judging_new(reply_protocol protocol, rdv_str question, const judge_rule *rule,
                     reply_choices **reply);
/* Start; `done` is called on the loop's thread, unless judging_free() was called before. False: it
 * cannot be started. */
bool judging_start(judging *j, struct uv_loop_s *loop, void (*done)(void *payload), void *payload);
/* Whether it is done. Then: */
bool judging_is_done(const judging *j);
/* NULL: out of memory. */
const judgement *judging_result(const judging *j);
/* The object `rederive`, which is borrowed; without quotes of the reply where it is not sent. */
rdv_str judging_json(const judging *j);
/* Also while it runs. NULL and *NULL are accepted. */
void judging_free(judging **j);

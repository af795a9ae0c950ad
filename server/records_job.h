/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* POST /rederive/check: records that are checked on a thread of their own, not on the loop's. */
#include "server/api_error.h"

struct uv_loop_s;
typedef struct records_job records_job;

/* Start; the text is copied. `done` is called on the loop's thread, unless records_job_free() was
 * called before. NULL: out of memory. */
records_job *records_job_new(rdv_str text, struct uv_loop_s *loop, void (*done)(void *payload),
                             void *payload);
/* Whether it is done. Then: */
bool records_job_is_done(const records_job *j);
/* The records, borrowed; p == NULL: *e is the error. */
rdv_str records_job_result(const records_job *j, api_error *e);
/* Also while it runs. NULL and *NULL are accepted. */
void records_job_free(records_job **j);

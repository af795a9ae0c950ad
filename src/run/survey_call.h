/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A run finds out what it is going to need: who the server is before its first call, and before the
 * first call that rests on it whatever a server could pass over without a word. Until then the
 * backend is held. */
#include "run/server.h"

/* Is what this request rests on known of the server? RDV_LATER: it is being found out. */
int survey_call_ready(server *s, const rdv_request *request, rdv_error *err);
/* Try again what was to be tried later, if it is due. */
int survey_call_due(server *s, rdv_error *err);
/* Its exchange has ended. */
int survey_call_complete(server *s, rdv_error *err);
/* Give up a survey that is under way. */
void survey_call_abort(server *s);
/* What was found, as rdv_run_found() shows it. */
bool survey_call_describe(const server *s, char *line, size_t size);

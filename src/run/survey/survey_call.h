/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The survey of a run: the server's software before the first call, and, before the first call
 * that depends on it, each ability that a server could ignore silently. The backend is held until
 * then. */
#include "run/server.h"

/* Whether everything that this request depends on is known; `several`: several replies to it are
 * wanted. RDV_LATER: it is being surveyed. */
int survey_call_ready(server *s, const rdv_request *request, bool several, rdv_error *err);
/* Retry the postponed exchange, if it is due. */
int survey_call_due(server *s, rdv_error *err);
/* The survey's exchange has ended. */
int survey_call_complete(server *s, rdv_error *err);
/* Abort a survey that is under way. */
void survey_call_abort(server *s);
/* Tell, once, that the server says of no reply how it ended, if that is known. */
void survey_call_tell_unsaid(server *s);
/* Describe the results, as rdv_run_found() shows them. */
bool survey_call_describe(const server *s, char *line, size_t size);

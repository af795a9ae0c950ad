/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The type of question in SelfCheck's prompts: --question-type; else, unless the built-in model
 * checks, by the record's data set. */
#include "methods.h"
#include "model_session.h"

/* Whether --question-type and --rubric can be used with these methods, and --rubric is there where
 * one of them needs it; if not, it was said. */
bool prompt_options_usable(const struct model_session *session, const struct methods *methods,
                           const struct settings *settings);
/* The plan options for one record: those of the session, with the type of its question. */
rdv_plan_options question_type_of(const struct model_session *session, const rdv_record *record,
                                  rdv_arena *arena);

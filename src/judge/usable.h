/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which records can be used as chains. */
#include <rederive/data.h>

/* Whether the record has a question and, in place of a solution, the reason why there is none. */
bool usable_lacks_solution(const rdv_record *record);
/* RDV_OK when the record is a chain: it has steps, an empty list of steps, or an answer. Else
 * RDV_E_INPUT with a message that names its kind. */
int usable_chain(const rdv_record *record, rdv_error *err);
/* The same of a record whose answer is to be graded: the message names what holds an answer. */
int usable_answered(const rdv_record *record, rdv_error *err);
/* RDV_E_INPUT with the reason for which the source of the record has no chain: an earlier command's
 * error, or a model's request that failed. */
int usable_failed(const rdv_record *record, rdv_error *err);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Forms of answers as the golden files write them. */
#include <rederive/answer.h>

/* The form of that kind with the options "x | y | z" (p == NULL: none), in `arena`; fails the test
 * when there is no such kind. */
rdv_answer_form form_of(rdv_str kind, rdv_str options, rdv_arena *arena);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <rederive/answer.h>

/* The kind that answers of this form are compared as: never RDV_KIND_AUTO. */
rdv_kind answer_kind(const rdv_answer_form *form);

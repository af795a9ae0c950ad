/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The words beside a number that turn its value: halves of the day, eras, directions, rises and
 * falls, rates. Two answers with the same number are the same only where these agree. */
#include <rederive/base.h>

typedef enum turn {
    TURN_AGREES,
    TURN_OPPOSED, /* "7 am" and "7 pm", "$12 per hour" and "$12 per day" */
    TURN_UNSAID   /* one of both has a word that makes another number of it: "7 below zero", "7" */
} turn;

/* What the words of two answers say of each other. Linear. */
turn turn_between(rdv_str a, rdv_str b);

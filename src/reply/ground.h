/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a reading of a reply rests on. */
#include <rederive/plan.h>

typedef struct reply_ground {
    rdv_str sentence; /* a slice of the reply, of at most 240 bytes */
    rdv_str rule;     /* the id of the row of rules/replies.rules; p == NULL: none was asked */
} reply_ground;

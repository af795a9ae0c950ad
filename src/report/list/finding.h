/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A finding of a check, as the forms for other programs write it. */
#include "report/list/listing.h"

typedef enum finding_level {
    FINDING_ERROR,   /* a step is wrong */
    FINDING_WARNING, /* it was not decided */
    FINDING_NOTE     /* a text was not read */
} finding_level;

typedef struct finding {
    finding_level level;
    const rdv_listing_place *place;
    rdv_place from, to; /* where it stands; the same place: where its record begins */
    bool is_placed;     /* they are of the finding itself */
    rdv_str rule;
    rdv_str message; /* one line, its bytes escaped */
} finding;

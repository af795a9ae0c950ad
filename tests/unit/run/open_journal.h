/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Opening a journal that has to open. */
#include <rederive/run.h>

#include "../test.h"

static inline rdv_journal *open_it(const char *file, rdv_journal_mode mode)
{
    rdv_journal *j;
    rdv_error err = {0};
    if (rdv_journal_open(file, mode, &j, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return j;
}

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The records of a run, read and worked on by a pool of threads (--threads), and finished by the
 * command's own thread in the order of the input. What is written, told and counted does not depend
 * on the number of threads. */
#include "run.h"

/* A record in the pool. */
struct pooled {
    rdv_arena *arena; /* of the record and of what is made of it, until it is finished */
    const char *path; /* of its input, as messages name it */
    rdv_record record;
    int code; /* what work() returned */
    rdv_error err;
    void *made; /* work() may set it; NULL before */
    /* private */
    struct held held;
    struct cut_record from;
    rdv_kept_notes notes;
    bool empty, unread, several;
    size_t bytes;
};

struct record_work {
    /* Work on item->record in item->arena, in any thread: it changes nothing else, and says
     * nothing. RDV_OK or a fault. NULL: nothing is worked on. */
    int (*work)(const void *payload, struct pooled *item, rdv_error *err);
    /* Write, count and tell what became of the item. run->path is that of the item. */
    void (*finish)(void *payload, struct pooled *item);
    void *payload;
};

/* Read all records of the run's inputs. Those that cannot be read are told and counted, and written
 * as error records where the run wants them. */
void record_pool_run(struct run *run, const struct record_work *work);

/* SPDX-License-Identifier: Apache-2.0 */
#include "binding/totals.h"
#include "binding/command.h"

#include <pthread.h>
#include <stdlib.h>

struct binding_totals {
    pthread_mutex_t lock;
    rdv_run_totals latest;
};

static void take(void *payload, const rdv_run_totals *totals)
{
    binding_totals *t = payload;
    pthread_mutex_lock(&t->lock);
    t->latest = *totals;
    pthread_mutex_unlock(&t->lock);
}

static void release(void *payload)
{
    binding_totals *t = payload;
    pthread_mutex_destroy(&t->lock);
    free(t);
}

binding_totals *binding_totals_new(binding_command *command)
{
    binding_totals *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    binding_command_drive(
        command, &(struct binding_driver){.payload = t, .progress = take, .release = release});
    return t;
}

void binding_totals_now(binding_totals *t, rdv_run_totals *out)
{
    pthread_mutex_lock(&t->lock);
    *out = t->latest;
    pthread_mutex_unlock(&t->lock);
}

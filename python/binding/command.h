/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A command of the program, run inside Python: the same options, messages and records. */
#include "binding/binding.h"

struct rdv_error;
struct rdv_plan_source;
struct rdv_run_totals;

/* What may take the place of a command's own run; called on the command's thread. */
struct binding_driver {
    void *payload;
    /* As in a host; NULL: the command's own run carries the plans out. */
    int (*plans)(void *payload, const struct rdv_plan_source *source, struct rdv_error *err);
    void (*ended)(void *payload); /* after the command's end; NULL: nobody asks */
    void (*progress)(void *payload, const struct rdv_run_totals *totals); /* the same */
    void (*release)(void *payload); /* with the command; NULL: the payload is another's */
};

/* Before binding_command_start(). The driver is copied. */
void binding_command_drive(binding_command *command, const struct binding_driver *driver);

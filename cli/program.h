/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The program and its commands, as a function: main.c calls it, also from the Python package's
 * library, which holds all but main.c. */
#include <rederive/base.h>

/* Run the command that the arguments name; returns the exit status. */
RDV_API int rdv_program(int argc, char **argv);

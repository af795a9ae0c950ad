/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "report/figure.h"

/* Append a figure with its data as a table and as a file. `arena` is for temporary data. */
void html_figure(rdv_buf *b, const rdv_figure *figure, rdv_arena *arena);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The braces of LaTeX around a part of a text. */
#include <rederive/base.h>

/* Widen text[*begin, *end) by the braces that close what it opens, right behind it, and by those
 * that open what it closes, right before it, with their commands: "12} \times 4" is
 * "\textbf{12} \times 4". */
void braces_close(rdv_str text, size_t *begin, size_t *end);

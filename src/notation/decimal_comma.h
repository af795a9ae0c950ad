/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers written with a decimal comma: "4,50", "1.250,00", "3{,}5", "1 250,5". */
#include <rederive/base.h>

/* The text with its numbers as the lexer knows them, of the same length, so that each byte stays
 * at its place: "1.250,00" becomes "1,250.00", and "3{,}5" becomes "3.5" and two DECIMAL_PAD. What
 * may be a list stays as it is: "(3,5)", "{3,5}", "1,2,3"; so does what a comma does not divide:
 * "12.5".
 * *out is `text` itself where nothing changes, else a copy in `arena`. RDV_OK or RDV_E_NOMEM.
 * Takes linear time. */
int decimal_comma_fold(rdv_str text, rdv_arena *arena, rdv_str *out);

/* What fills the place of a sign that was taken out of a number; white space for the lexer. */
#define DECIMAL_PAD '\v'

/* The byte of the original where what ends at byte `end` of the folded text ends. */
size_t decimal_comma_end(rdv_str text, rdv_str folded, size_t end);

/* The reverse for a line that was written from folded text: every point between digits becomes a
 * comma, and every comma between digits a point, or a space where they divide the thousands of
 * `like`. In `arena`; p == NULL: out of memory, or `line` is none. */
rdv_str decimal_comma_unfold(rdv_str line, rdv_str like, rdv_arena *arena);
/* Whether the texts are in a European language other than English, by its commonest words. */
bool decimal_comma_tongue(rdv_str question, const rdv_str *steps, size_t n);

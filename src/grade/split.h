/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A cleaned answer taken apart outside its brackets. */
#include <rederive/base.h>

/* Any bracket closes any other: half-open intervals mix them. */
bool split_opens(char c);
bool split_closes(char c);
/* Is the whole text one pair of brackets? */
bool split_is_bracketed(rdv_str s);
/* The byte of the first of the characters `any` outside brackets from byte `from` on, or
 * RDV_NOT_FOUND. */
size_t split_find(rdv_str s, const char *any, size_t from);
/* Cut the next part off *rest: up to a comma, semicolon or "or" outside brackets, *sign ('\0' at
 * the end). Where a semicolon stands outside brackets, it alone separates. thousands: a comma that
 * groups digits by three ("1,200") does not separate. False when *rest was exhausted. */
typedef struct split_list {
    rdv_str rest;
    bool thousands, semicolons, done;
} split_list;
split_list split_list_of(rdv_str s, bool thousands);
bool split_next(split_list *list, rdv_str *part, char *sign);
/* Has the text more parts than one? */
bool split_is_list(rdv_str s, bool thousands);
/* Without dollars, blanks and a box around it. */
rdv_str split_inside(rdv_str s);
/* What stands in several boxes with commas or "and" between them, as a list, in the arena; else `s`
 * itself. p == NULL: out of memory. */
rdv_str split_boxes(rdv_str s, rdv_arena *arena);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Taking apart what a model thought and what it replied. */
#include <rederive/base.h>

/* The text without "<think>...</think>" and "<thinking>...</thinking>" (letter case ignored). One
 * that is never closed runs to the end of the text; a closing tag that was never opened (templates
 * open it in the prompt) ends thinking that began with the text. What remains is trimmed.
 * *out borrows from `text` where one piece remains, else is a copy in `arena`; untouched on
 * failure. Faults: RDV_E_NOMEM. */
int rdv_without_thinking(rdv_str text, rdv_arena *arena, rdv_str *out, rdv_error *err);
/* The same, with what was thought in *thinking (NULL: not wanted; len 0: nothing), in `arena`.
 * Several pieces are separated by an empty line. */
int rdv_split_thinking(rdv_str text, rdv_arena *arena, rdv_str *out, rdv_str *thinking,
                       rdv_error *err);

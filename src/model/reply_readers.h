/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the readers of the protocols share, and what each of them reads. For reply_choices.c. */
#include "model/reply_choices.h"

/* Whether a member has something in it: not null, false, 0, or an empty text, list or object. */
bool reply_has(const json_t *value);
/* The choice of that number, added if it is new; NULL: out of memory, or too many (then *code). */
reply_choice_read *reply_choice(reply_choices *r, size_t index, int *code, rdv_error *err);
/* Add to the text that is kept. */
void reply_add_text(reply_choice_read *c, rdv_str text);
/* Note what was not read: a static text. */
void reply_note_unread(reply_choice_read *c, const char *what);
/* Note each member of `object` that has something in it and is not one of `known`. */
void reply_note_unknown(reply_choice_read *c, const json_t *object, const char *const *known,
                        const char *what);
/* Keep the server's word. RDV_OK or RDV_E_NOMEM. */
int reply_keep_finish(reply_choices *r, reply_choice_read *c, const json_t *finish);
/* Text that is given a second time must be the same as that from byte `from` on, or comes instead
 * of it where there is none. */
void reply_repeat_text(reply_choice_read *c, size_t from, rdv_str text, const char *what);

/* Whether the name is in a list that ends with NULL. */
bool reply_is_known(const char *name, const char *const *known);

int reply_chat_whole(reply_choices *r, const json_t *body, rdv_error *err);
int reply_chat_event(reply_choices *r, const json_t *event, rdv_error *err);
int reply_responses_whole(reply_choices *r, const json_t *body, rdv_error *err);
int reply_responses_event(reply_choices *r, const json_t *event, rdv_error *err);
int reply_messages_whole(reply_choices *r, const json_t *body, rdv_error *err);
int reply_messages_event(reply_choices *r, const json_t *event, rdv_error *err);

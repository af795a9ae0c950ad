/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A request to a model, between two protocols. Texts, numbers and objects are the bytes of their
 * JSON, borrowed from the request's body unless a comment says otherwise; p == NULL: not given. */
#include "model/reply_choices.h"
#include "server/api_error.h"
#include "server/convert/json_view.h"

typedef enum part_kind {
    PART_TEXT,
    PART_IMAGE,     /* at `url`, or `data` of the type `media` */
    PART_REASONING, /* `text`, and what vouches for it */
    PART_SEALED,    /* reasoning that only the model's server can read: `data` */
    PART_REFUSAL,   /* `text` */
    PART_CALL,      /* of the tool `name` with `input`, an object */
    PART_RESULT     /* of the call `id`: `content` */
} part_kind;

typedef struct turn_part {
    part_kind kind;
    rdv_str text, url, media, data, signature, id, name, input;
    bool failed; /* the tool reports an error */
    struct turn_part *content, *next;
} turn_part;

typedef enum turn_role { TURN_SYSTEM, TURN_USER, TURN_ASSISTANT } turn_role;

typedef struct turn {
    turn_role role;
    turn_part *first, *last;
    struct turn *next;
} turn;

typedef struct tool {
    rdv_str name, about, schema, strict;
    struct tool *next;
} tool;

typedef enum tool_choice {
    TOOLS_NOT_SAID,
    TOOLS_AUTO,
    TOOLS_NONE,
    TOOLS_ANY, /* at least one */
    TOOLS_ONE  /* the tool `chosen` */
} tool_choice;

typedef struct conversation {
    rdv_arena *arena;
    turn *first, *last;
    tool *tools, *last_tool;
    tool_choice choice;
    rdv_str chosen;
    bool one_call; /* at most one call in a reply */
    rdv_str stream, max_tokens, temperature, top_p, top_k, user, effort, thinking;
    rdv_str stop;                              /* a list of texts */
    rdv_str schema, schema_name, schema_about; /* that the reply's text must fit */
} conversation;

/* Each gives false, with *e, where something cannot be converted or is out of memory. Readers fill
 * a conversation that has only its arena; writers append the body, without `model`. */
bool conversation_read_chat(conversation *c, rdv_str body, api_error *e);
bool conversation_read_responses(conversation *c, rdv_str body, api_error *e);
bool conversation_read_messages(conversation *c, rdv_str body, api_error *e);
bool conversation_write_chat(const conversation *c, rdv_buf *b, api_error *e);
bool conversation_write_responses(const conversation *c, rdv_buf *b, api_error *e);
bool conversation_write_messages(const conversation *c, rdv_buf *b, api_error *e);

/* Append; NULL: out of memory, and *e says so. */
turn *conversation_turn(conversation *c, turn_role role, api_error *e);
turn_part *conversation_part(conversation *c, turn *t, part_kind kind, api_error *e);
/* Append a part that is this text. False: out of memory. */
bool conversation_add_text(conversation *c, turn *t, rdv_str text, api_error *e);
/* Append a tool, which needs a name. */
bool conversation_add_tool(conversation *c, tool of, api_error *e);
/* The choice of a tool in OpenAI's protocols. True: there is none, or it is a word, and kept. */
bool conversation_read_choice_word(conversation *c, rdv_str value);
/* `nested`: a tool that must be called is named in an object "function". */
void conversation_put_choice(const conversation *c, rdv_buf *b, bool nested);
/* Whether the part is none of its turn's reasoning, calls and results. */
bool conversation_is_content(const turn_part *p);
/* A 400 of something in the member `of`; false. */
bool conversation_refuse(api_error *e, const char *of, const char *why);
bool conversation_no_memory(api_error *e);
/* The object's text in `text`, a JSON text; an empty one is {}. False: it holds no object. */
bool conversation_object(rdv_arena *arena, rdv_str text, rdv_str *object);
/* An image at an address, which may be "data:image/png;base64,AAAA", and back. */
bool conversation_read_image(turn_part *p, rdv_str url, const char *of, api_error *e);
void conversation_write_image(rdv_buf *b, const turn_part *p);
#define CONVERSATION_NO_PARAMETERS RDV_STR("{\"type\":\"object\",\"properties\":{}}")
/* Append a member whose value is JSON, where it is given. */
void conversation_put(rdv_buf *b, const char *name, rdv_str value);
/* A list of one text, or the list itself; p == NULL: out of memory. */
rdv_str conversation_listed(rdv_arena *arena, rdv_str value);

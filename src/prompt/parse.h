/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The parser of prompt files: first the head (head.c), then the messages (body.c). docs/prompts.md
 * states the rules; tools/embed_prompts.py implements the same rules. */
#include "prompt/prompt.h"

#include <stdarg.h>

#define PROMPT_MAX_BYTES 65536
#define PROMPT_MAX_DEPTH 8
#define PROMPT_MAX_STOPS 4
#define PROMPT_MAX_ANSWERS 8

/* A declared name, and whether a tag uses it. */
typedef struct prompt_name {
    rdv_str text;
    bool used;
} prompt_name;

/* A text, or a list whose items have texts of their own, its fields. */
typedef struct prompt_variable {
    prompt_name name;
    bool list;
    bool robust_only; /* empty with the profile `paper` */
    prompt_name *fields;
    size_t n_fields;
} prompt_variable;

typedef enum prompt_part_is {
    PROMPT_TEXT,   /* literal text */
    PROMPT_VALUE,  /* the value of a variable */
    PROMPT_FIELD,  /* the value of a field of the item */
    PROMPT_INDEX,  /* the position of the item in its list, from 0 */
    PROMPT_LETTER, /* the same as a letter, from A */
    PROMPT_EACH,   /* once for each item of a list */
    PROMPT_SOME,   /* once where the variable is not empty */
    PROMPT_NONE,   /* once where the variable is empty */
    PROMPT_END     /* the end of the innermost section */
} prompt_part_is;

typedef struct prompt_part {
    prompt_part_is is;
    rdv_str text;    /* PROMPT_TEXT: the text; PROMPT_FIELD: the field's name */
    size_t variable; /* PROMPT_VALUE and sections: index of the variable */
    size_t end;      /* sections: index of their PROMPT_END */
} prompt_part;

typedef struct prompt_turn {
    rdv_role role;
    size_t begin, end; /* indices of parts */
} prompt_turn;

struct prompt {
    rdv_str id;
    bool replaced;      /* replaced by the user's text */
    const char *sha256; /* NULL: not compiled in */
    rdv_sampling sampling;
    rdv_str *answers; /* the allowed conclusions of its reply */
    size_t n_answers;
    bool reasoned; /* the reply reasons before its conclusion */
    prompt_variable variables[PROMPT_MAX_VARIABLES];
    size_t n_variables;
    size_t variables_line; /* where they are declared */
    prompt_part *parts;
    size_t n_parts;
    prompt_turn *turns;
    size_t n_turns;
};

/* The text that is being parsed, and the current position in it. */
typedef struct prompt_parser {
    rdv_str rest; /* the unread part */
    size_t line;  /* number of the last line read, from 1 */
    prompt *prompt;
    rdv_arena *arena;
    rdv_error *err;
} prompt_parser;

/* The next line without its newline; false: there is none. Carriage returns are not newlines. */
bool prompt_next_line(prompt_parser *parser, rdv_str *line);
/* Set the parser's error to "line N: ..." and return `code`. */
int prompt_fault(const prompt_parser *parser, int code, size_t line, const char *fmt, ...)
    RDV_PRINTF(4, 5);
/* Whether the text is a name: a small letter, then small letters, digits and underscores. */
bool prompt_is_name(rdv_str text);
/* Whether it is one of the names that the language reserves for items. */
bool prompt_is_built_in(rdv_str name);

int prompt_read_head(prompt_parser *parser);
int prompt_read_body(prompt_parser *parser);

/* Parse a whole prompt file; *out and its data are allocated in `arena`, texts are borrowed. */
int prompt_parse(prompt *out, rdv_str text, rdv_arena *arena, rdv_error *err);

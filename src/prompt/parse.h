/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A prompt file taken apart: its head (head.c), then its messages (body.c). The rules are those of
 * docs/prompts.md, and of tools/embed_prompts.py in the same words. */
#include "prompt/prompt.h"

#include <stdarg.h>

#define PROMPT_MAX_BYTES 65536
#define PROMPT_MAX_DEPTH 8
#define PROMPT_MAX_STOPS 4
#define PROMPT_MAX_ANSWERS 8

/* A name that is declared, and whether a tag uses it. */
typedef struct prompt_name {
    rdv_str text;
    bool used;
} prompt_name;

/* A text, or a list whose items have texts of their own, its fields. */
typedef struct prompt_variable {
    prompt_name name;
    bool list;
    prompt_name *fields;
    size_t n_fields;
} prompt_variable;

typedef enum prompt_part_is {
    PROMPT_TEXT,   /* as it stands */
    PROMPT_VALUE,  /* the value of a variable */
    PROMPT_FIELD,  /* the value of a field of the item */
    PROMPT_INDEX,  /* the item's place in its list, from 0 */
    PROMPT_LETTER, /* the same, from A */
    PROMPT_EACH,   /* once for each item of a list */
    PROMPT_SOME,   /* once where the variable is not empty */
    PROMPT_NONE,   /* once where it is */
    PROMPT_END     /* of the innermost section */
} prompt_part_is;

typedef struct prompt_part {
    prompt_part_is is;
    rdv_str text;    /* PROMPT_TEXT; of PROMPT_FIELD its name */
    size_t variable; /* PROMPT_VALUE and sections: which */
    size_t end;      /* sections: index of their PROMPT_END */
} prompt_part;

typedef struct prompt_turn {
    rdv_role role;
    size_t begin, end; /* parts */
} prompt_turn;

struct prompt {
    rdv_str id;
    bool replaced;      /* by a text of the user */
    const char *sha256; /* NULL: not compiled in */
    rdv_sampling sampling;
    rdv_str *answers; /* what its reply may conclude */
    size_t n_answers;
    bool reasoned; /* after reasoning */
    prompt_variable variables[PROMPT_MAX_VARIABLES];
    size_t n_variables;
    size_t variables_line; /* where they are declared */
    prompt_part *parts;
    size_t n_parts;
    prompt_turn *turns;
    size_t n_turns;
};

/* What is being parsed, and how far that is. */
typedef struct prompt_parser {
    rdv_str rest; /* what has not been read */
    size_t line;  /* number of the line that was read last, from 1 */
    prompt *prompt;
    rdv_arena *arena;
    rdv_error *err;
} prompt_parser;

/* The next line without its newline, or false. Carriage returns are not newlines. */
bool prompt_next_line(prompt_parser *parser, rdv_str *line);
/* Set the parser's error to "line N: ..." and return `code`. */
int prompt_fault(const prompt_parser *parser, int code, size_t line, const char *fmt, ...)
    RDV_PRINTF(4, 5);
/* Is this a name: a small letter, then small letters, digits and underscores? */
bool prompt_is_name(rdv_str text);
/* Is it one of the names that the language gives to items? */
bool prompt_is_built_in(rdv_str name);

int prompt_read_head(prompt_parser *parser);
int prompt_read_body(prompt_parser *parser);

/* A whole prompt file; *out and what it needs are made in `arena`, texts are borrowed. */
int prompt_parse(prompt *out, rdv_str text, rdv_arena *arena, rdv_error *err);

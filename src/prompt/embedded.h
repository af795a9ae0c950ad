/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The compiled-in prompt files, generated from prompts/ by tools/embed_prompts.py. */
#include <stddef.h>

typedef struct prompt_embedded {
    const char *id;
    const char *sha256; /* of the file, in hexadecimal */
    size_t len;         /* bytes of `text`, without its NUL */
    const char *text;
} prompt_embedded;

/* Sorted by id. */
extern const prompt_embedded prompt_all[];
extern const size_t prompt_n_all;

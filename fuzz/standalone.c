/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target without a fuzzing engine: over every file of the directories given, then over
 * inputs that no corpus should have to hold, long runs of one short pattern, which find recursion
 * without a limit and time that is not linear. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/sanitized.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LONG_INPUT SHARE((size_t)64 * 1024)

static const char *const patterns[] = {
    "(",        "[",       "{",       "\\",        "\"",   "$",        "-",         "9",
    "1,",       ".",       "=",       "^",         "%",    "!",        " ",         "\n",
    "\r\n",     "\t",      "#",       "*",         "<<",   "1=",       "1=1=",      "2^",
    "x ",       "1+(",     "\\frac{", "\\sqrt{1+", "1.\n", "a=b ",     "[1,",       "\xff",
    "\xe2\x80", "{\"a\":", "Step 1:", "```\n",     "\\[",  "\\boxed{", "answer is "};

static void fail(const char *path)
{
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    exit(1);
}

/* The target gets a block of exactly the input's size, so a sanitizer sees one byte too many. */
static void run_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        fail("out of memory");
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void run_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    size_t size = 0;
    FILE *all = open_memstream(&data, &size);
    if (!f || !all)
        fail(path);
    char piece[4096];
    for (size_t n; (n = fread(piece, 1, sizeof piece, f)) > 0;)
        fwrite(piece, 1, n, all);
    if (ferror(f) || fclose(all) != 0)
        fail(path);
    fclose(f);
    run_copy((const uint8_t *)data, size);
    free(data);
}

/* A directory that is not there has no inputs: git keeps no empty directories. */
static size_t run_directory(const char *directory)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, NULL, alphasort);
    if (n < 0 && errno == ENOENT)
        return 0;
    if (n < 0)
        fail(directory);
    size_t ran = 0;
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            run_file(path);
            ran++;
        }
        free(entries[i]);
    }
    free(entries);
    return ran;
}

static void run_pattern(const char *pattern)
{
    static uint8_t text[LONG_INPUT];
    size_t n = strlen(pattern);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)pattern[i % n];
    run_copy(text, sizeof text);
}

int main(int argc, char **argv)
{
    size_t n = 0;
    for (int i = 1; i < argc; i++)
        n += run_directory(argv[i]);
    run_copy((const uint8_t *)"", 0);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        run_pattern(patterns[i]);
    printf("%zu inputs, %zu long patterns\n", n, sizeof patterns / sizeof *patterns);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "language/row.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FILE_MOST (1u << 20) /* bytes */
#define LISTS_MOST 1000
#define WORDS_MOST 1000        /* of a list */
#define ALL_WORDS_MOST 1000000 /* of lists and cues, those of a list wherever it stands */

/* ---- faults ---------------------------------------------------------------------------------- */

static int fault(const row_reader *r, int code, const char *fmt, va_list args)
{
    char message[300];
    vsnprintf(message, sizeof message, fmt, args);
    return rdv_fail(r->err, code, "%.*s:%zu: %.*s%s%s", RDV_FMT(r->file), r->line, RDV_FMT(r->name),
                    r->name.len ? ": " : "", message);
}

int row_fault(const row_reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int code = fault(r, RDV_E_INPUT, fmt, args);
    va_end(args);
    return code;
}

int row_limit(const row_reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int code = fault(r, RDV_E_LIMIT, fmt, args);
    va_end(args);
    return code;
}

rdv_str row_shown(rdv_str s)
{
    return rdv_str_head(s, ROW_ID_MOST);
}

/* ---- lists of words -------------------------------------------------------------------------- */

const cue_words *row_list(const word_lists *lists, rdv_str name)
{
    for (size_t i = 0; i < lists->n; i++)
        if (rdv_str_eq(lists->at[i]->name, name))
            return lists->at[i];
    return NULL;
}

int row_find_list(const row_reader *r, rdv_str name, const cue_words **out)
{
    *out = row_list(r->lists, name);
    if (*out)
        return RDV_OK;
    return row_fault(r, "there is no list of words \"%.*s\" above", RDV_FMT(row_shown(name)));
}

/* Is it one word, as the text of a claim is cut into words? */
static bool is_one_word(rdv_str s)
{
    bool except = s.len > 1 && s.p[0] == '-', ends = s.len > 1 && s.p[0] == '*';
    bool begins = s.len > 1 && s.p[s.len - 1] == '*';
    rdv_str word = rdv_slice(s, except || ends, s.len - begins);
    cue_token token;
    size_t at = 0;
    if (rdv_starts(s, RDV_STR("'")) || rdv_str_eq(s, RDV_STR("n't")))
        return true; /* the rest of a contraction */
    if (rdv_str_eq(s, RDV_STR("(")) || rdv_str_eq(s, RDV_STR("[")) || rdv_str_eq(s, RDV_STR("$")))
        return true; /* before a word or number */
    if (word.len && rdv_skip_letters(word, 0) == word.len)
        return true; /* as most are */
    return cue_next_token(word, &at, &token) && at == word.len && token.text.len == word.len;
}

int row_add_text(const row_reader *r, rdv_str text, rdv_str **to, size_t *n, size_t *cap)
{
    if (!RDV_PUSH_ROOM(r->arena, *to, *n, *cap))
        return rdv_no_memory(r->err);
    (*to)[(*n)++] = text;
    return RDV_OK;
}

static int count_words(const row_reader *r, size_t n)
{
    if (n > ALL_WORDS_MOST - r->lists->all_words)
        return row_limit(r, "the rules have at most %d words", ALL_WORDS_MOST);
    r->lists->all_words += n;
    return RDV_OK;
}

static int add_word(const row_reader *r, cue_words *to, rdv_str word)
{
    if (to->n == WORDS_MOST)
        return row_limit(r, "a list has at most %d words", WORDS_MOST);
    int code = count_words(r, 1);
    if (code != RDV_OK)
        return code;
    bool any = word.p[0] == '*' || word.p[0] == '-' || rdv_char_at(word, 1) == '*';
    to->begins |= any ? UINT64_MAX : cue_begin(word);
    to->excepts |= word.p[0] == '-' && word.len > 1;
    return row_add_text(r, word, &to->words, &to->n, &to->cap);
}

bool row_next_piece(rdv_str *rest, char mark, rdv_str *piece)
{
    if (!rest->p)
        return false;
    size_t at = rdv_find_char(*rest, mark, 0);
    *piece = rdv_trim(rdv_slice(*rest, 0, at));
    *rest = at == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, at + 1, rest->len);
    return true;
}

static int add_list(const row_reader *r, cue_words *to, rdv_str name)
{
    const cue_words *from;
    int code = row_find_list(r, name, &from);
    for (size_t i = 0; code == RDV_OK && i < from->n; i++)
        code = add_word(r, to, from->words[i]);
    return code;
}

/* Adds the words and lists of a text that the mark divides. */
static int add_words(const row_reader *r, cue_words *to, rdv_str text, char mark)
{
    rdv_str word;
    int code = RDV_OK;
    while (code == RDV_OK && row_next_piece(&text, mark, &word)) {
        if (rdv_starts(word, RDV_STR("@")))
            code = add_list(r, to, word);
        else if (word.len || mark != ' ')
            code = is_one_word(word)
                       ? add_word(r, to, word)
                       : row_fault(r, "\"%.*s\" is not one word", RDV_FMT(row_shown(word)));
    }
    return code;
}

int row_read_alternatives(const row_reader *r, rdv_str text, cue_words *to)
{
    return add_words(r, to, text, '|');
}

int row_words(const row_reader *r, rdv_str text, const cue_words **out)
{
    if (rdv_starts(text, RDV_STR("@")) && rdv_find_char(text, '|', 0) == RDV_NOT_FOUND) {
        int code = row_find_list(r, text, out);
        return code == RDV_OK ? count_words(r, (*out)->n) : code;
    }
    cue_words *of = RDV_NEW(r->arena, cue_words);
    size_t most = 1; /* most have one */
    for (size_t i = 0; i < text.len; i++)
        most += text.p[i] == '|';
    if (!of || !(of->words = RDV_NEW_ARRAY(r->arena, rdv_str, most)))
        return rdv_no_memory(r->err);
    of->cap = most;
    *out = of;
    return row_read_alternatives(r, text, of);
}

/* ---- rows ------------------------------------------------------------------------------------ */

int row_choose(const row_reader *r, const char *key, rdv_str value, const char *const *names,
               size_t n, size_t *out)
{
    int i = rdv_named(value, names, n);
    if (i < 0)
        return row_fault(r, "%s \"%.*s\" is not known", key, RDV_FMT(row_shown(value)));
    *out = (size_t)i;
    return RDV_OK;
}

static bool is_id(rdv_str s)
{
    bool ok = s.len && s.len <= ROW_ID_MOST;
    for (size_t i = 0; i < s.len && ok; i++)
        ok = (s.p[i] >= 'a' && s.p[i] <= 'z') || rdv_is_digit(s.p[i]) || s.p[i] == '-';
    return ok;
}

/* Faults of a whole row are told at its heading. */
static int end_row(row_reader *r)
{
    size_t here = r->line;
    r->line = r->first_line;
    int code = r->in_row ? r->end(r) : RDV_OK;
    r->line = here;
    r->in_row = false;
    r->list = NULL;
    r->name = (rdv_str){0};
    return code;
}

static int begin_list(row_reader *r, rdv_str name)
{
    word_lists *lists = r->lists;
    if (row_list(lists, name))
        return row_fault(r, "%.*s stands twice", RDV_FMT(name));
    if (lists->n == LISTS_MOST)
        return row_limit(r, "more than %d lists of words", LISTS_MOST);
    cue_words *list = RDV_NEW(r->arena, cue_words);
    if (!list || !RDV_PUSH_ROOM(r->arena, lists->at, lists->n, lists->cap))
        return rdv_no_memory(r->err);
    list->name = r->name = name;
    r->list = lists->at[lists->n++] = list;
    return RDV_OK;
}

static int begin_row(row_reader *r, rdv_str line)
{
    rdv_str name = rdv_trim(rdv_slice(line, 3, line.len));
    bool list = rdv_starts(name, RDV_STR("@"));
    int code = end_row(r);
    if (code != RDV_OK)
        return code;
    if (!is_id(rdv_slice(name, list, name.len)))
        return row_fault(r, "\"%.*s\" is no name: small letters, digits and \"-\"",
                         RDV_FMT(row_shown(name)));
    r->first_line = r->line;
    r->text = line;
    if (list)
        return begin_list(r, name);
    code = r->begin(r, name);
    r->name = name;
    r->in_row = code == RDV_OK;
    return code;
}

static int no_such_key(const row_reader *r)
{
    char known[200] = "words";
    size_t n = strlen(known);
    for (size_t i = 0; i < r->n_keys && n < sizeof known; i++)
        n += (size_t)snprintf(known + n, sizeof known - n, ", %s", r->keys[i]);
    return row_fault(r, "a line is \"key: value\", with one of %s", known);
}

static int read_line(row_reader *r, rdv_str line)
{
    if (rdv_starts(line, RDV_STR("## ")))
        return begin_row(r, line);
    if (!line.len || line.p[0] == '#')
        return RDV_OK;
    size_t colon = rdv_find_char(line, ':', 0);
    r->key = rdv_slice(line, 0, colon);
    bool words = rdv_str_eq(r->key, RDV_STR("words"));
    int k = rdv_named(r->key, r->keys, r->n_keys);
    if (colon == RDV_NOT_FOUND || (k < 0 && r->n_keys && !words))
        return no_such_key(r);
    if (!r->in_row && !r->list)
        return row_fault(r, "a row begins with \"## NAME\"");
    if (words != (r->list != NULL))
        return words ? row_fault(r, "words belong to a list, \"## @NAME\"")
                     : row_fault(r, "a list of words has only words");
    r->text.len = (size_t)(line.p + line.len - r->text.p);
    rdv_str value = rdv_trim(rdv_slice(line, colon + 1, line.len));
    return words ? add_words(r, r->list, value, ' ') : r->member(r, (size_t)k, value);
}

int rows_read(row_reader *r, rdv_str text)
{
    rdv_str line;
    int code = RDV_OK;
    if (text.len > FILE_MOST)
        return rdv_fail(r->err, RDV_E_LIMIT, "%.*s: a rule file has at most %u bytes",
                        RDV_FMT(r->file), FILE_MOST);
    if (rdv_utf8_valid(text) != text.len)
        return rdv_fail(r->err, RDV_E_INPUT, "%.*s: byte %zu is not UTF-8", RDV_FMT(r->file),
                        rdv_utf8_valid(text));
    while (code == RDV_OK && rdv_next_line(&text, &line)) {
        r->line++;
        code = read_line(r, rdv_trim_end(line));
    }
    return code == RDV_OK ? end_row(r) : code;
}

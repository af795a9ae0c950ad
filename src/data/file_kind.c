/* SPDX-License-Identifier: Apache-2.0 */
#include "data/file_kind.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/utf8.h"
#include "data/csv.h"
#include "data/layout/events.h"

#include <stdlib.h>

#define MAX_NAME 64 /* bytes of a column's name */
#define MAX_COLUMNS 1000
#define WIDE ((size_t)256) /* bytes that tell the width of characters */
#define HEAD 16 /* bytes that tell JSON from bytes that begin with the same bracket */

/* ---- kinds that are not read ----------------------------------------------------------------- */

#define PANDAS(read)                                                                               \
    "write it as JSON Lines: python3 -c 'import pandas; pandas." read                              \
    "(\"%s\").to_json(\"records.jsonl\", orient=\"records\", lines=True)'"

/* What files begin with. */
static const struct magic {
    const char *bytes;
    size_t n;
    const char *what, *advice;
} magics[] = {
    {"PAR1", 4, "a Parquet file", PANDAS("read_parquet")},
    {"ARROW1", 6, "an Arrow (Feather) file", PANDAS("read_feather")},
    {"FEA1", 4, "a Feather file", PANDAS("read_feather")},
    {"\xff\xff\xff\xff", 4, "an Arrow stream",
     "write it as JSON Lines: python3 -c 'import datasets; "
     "datasets.Dataset.from_file(\"%s\").to_json(\"records.jsonl\")'"},
    {"ORC", 3, "an ORC file", PANDAS("read_orc")},
    {"Obj\1", 4, "an Avro file", NULL},
    {"SQLite format 3", 16, "an SQLite database",
     "write a query's rows: sqlite3 -json %s 'SELECT ...' > records.json"},
    {"%PDF-", 5, "a PDF document", "write its text: pdftotext %s"},
    {"\x89PNG", 4, "a PNG picture", NULL},
    {"\xff\xd8\xff", 3, "a JPEG picture", NULL},
    {"GIF8", 4, "a GIF picture", NULL},
    {"\x28\xb5\x2f\xfd", 4, "packed with zstd", "unpack it: zstd -d %s"},
    {"BZh", 3, "packed with bzip2", "unpack it: bunzip2 %s"},
    {"\xfd"
     "7zXZ",
     5, "packed with xz", "unpack it: unxz %s"},
    {"7z\xbc\xaf", 4, "a 7-Zip archive", "unpack it and give its files"},
    {"\x1f\x8b", 2, "packed twice with gzip", "unpack it: gunzip %s"},
    {"\xd0\xcf\x11\xe0", 4, "an old Excel or Word file", PANDAS("read_excel")},
    {"\x93NUMPY", 6, "a NumPy array", NULL},
    {"\x89HDF", 4, "an HDF5 file", NULL},
    {"GGUF", 4, "a model file (GGUF)", NULL},
    {"\x80\x02", 2, "a Python pickle", PANDAS("read_pickle")},
    {"\x80\x03", 2, "a Python pickle", PANDAS("read_pickle")},
    {"\x80\x04", 2, "a Python pickle", PANDAS("read_pickle")},
    {"\x80\x05", 2, "a Python pickle", PANDAS("read_pickle")},
    {"\x7f"
     "ELF",
     4, "a program", NULL},
    {"\xff\xfe\0\0", 4, "text in UTF-32", "convert it: iconv -f UTF-32 -t UTF-8 %s"},
    {"\0\0\xfe\xff", 4, "text in UTF-32", "convert it: iconv -f UTF-32 -t UTF-8 %s"},
    {"\xff\xfe", 2, "text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 %s"},
    {"\xfe\xff", 2, "text in UTF-16", "convert it: iconv -f UTF-16 -t UTF-8 %s"},
    {"{'", 2, "Python's own notation, not JSON", "write it with json.dumps() instead of str()"},
    {"[{'", 3, "Python's own notation, not JSON", "write it with json.dumps() instead of str()"},
    {"{\\rtf", 5, "an RTF document", "save it as text"},
    {"evalId:", 7, "promptfoo's results as YAML",
     "write them as JSON: promptfoo export eval ID --output results.json"},
    {"<?xml", 5, "an XML document", NULL},
    {"<!DOCTYPE html", 14, "an HTML page", NULL},
    {"<html", 5, "an HTML page", NULL},
};

static bool find_magic(rdv_str text, rdv_file_look *look)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        if (!rdv_starts(text, (rdv_str){magics[i].bytes, magics[i].n}))
            continue;
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, magics[i].what, magics[i].advice};
        return true;
    }
    if (text.len > 262 && memcmp(text.p + 257, "ustar", 5) == 0) {
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "a tar archive", "unpack it and give its files"};
        return true;
    }
    return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *const *endings, size_t n)
{
    rdv_str name = rdv_str_of(path);
    if (rdv_ends(name, RDV_STR(".gz")))
        name = rdv_slice(name, 0, name.len - 3);
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(endings[i]);
        if (name.len > len &&
            rdv_str_ieq(rdv_slice(name, name.len - len, name.len), rdv_str_of(endings[i])))
            return true;
    }
    return false;
}

static bool named_json(const char *path)
{
    static const char *const endings[] = {".json", ".jsonl", ".ndjson"};
    return has_ending(path, endings, sizeof endings / sizeof *endings);
}

static bool named_table(const char *path)
{
    static const char *const endings[] = {".csv", ".tsv"};
    return has_ending(path, endings, sizeof endings / sizeof *endings);
}

static bool named_text(const char *path)
{
    static const char *const endings[] = {".txt", ".md", ".markdown", ".text", ".tex"};
    return has_ending(path, endings, sizeof endings / sizeof *endings);
}

static bool named_yaml(const char *path)
{
    static const char *const endings[] = {".yaml", ".yml"};
    return has_ending(path, endings, sizeof endings / sizeof *endings);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Of a letter: ASCII, or a byte of any other script's. */
static bool is_letter(char c)
{
    return rdv_is_alpha(c) || (unsigned char)c >= 0x80;
}

/* A column's name, and not the beginning of a sentence: letters, digits and a few signs. */
static bool is_column(rdv_str cell)
{
    if (!cell.len || cell.len > MAX_NAME || !(is_letter(cell.p[0]) || cell.p[0] == '_'))
        return false;
    for (size_t i = 0; i < cell.len; i++)
        if (!is_letter(cell.p[i]) && !rdv_is_digit(cell.p[i]) && !strchr("_ .-/()[]", cell.p[i]))
            return false;
    return cell.p[cell.len - 1] != '.';
}

/* Into *columns, how many the text has with this separator, judged by its first row, and, unless it
 * is `named` as a table, by its second; 0: it is no table. RDV_OK or RDV_E_NOMEM. */
static int count_columns(rdv_str text, char separator, bool named, rdv_arena *arena,
                         size_t *columns)
{
    bool cut = text.len + 3 >= RDV_PEEK_BYTES; /* with a second row that ends beyond it, perhaps */
    rdv_csv *csv = RDV_NEW(arena, rdv_csv);
    rdv_str *cells;
    size_t n, n_second, line;
    *columns = 0;
    if (!csv)
        return RDV_E_NOMEM;
    rdv_csv_init(csv, rdv_source_of(&text), RDV_PEEK_BYTES, MAX_COLUMNS);
    csv->separator = separator;
    int rc = rdv_csv_next(csv, arena, &cells, &n, &line, NULL);
    if (rc != RDV_OK)
        return rc == RDV_E_NOMEM ? rc : RDV_OK;
    for (size_t i = 0; i < n; i++)
        if (!is_column(cells[i]) && (i > 0 || cells[i].len)) /* pandas leaves its index unnamed */
            return RDV_OK;
    rc = rdv_csv_next(csv, arena, &cells, &n_second, &line, NULL);
    cut = cut && text.len == 0 && csv->begin == csv->end;
    if (named || cut || (rc == RDV_OK && n_second == n))
        *columns = n;
    return rc == RDV_E_NOMEM ? rc : RDV_OK;
}

/* Into *best, the separator with which the text is a table of the most columns; 0: none. Only a
 * file that is `named` as a table may have a single column. RDV_OK or RDV_E_NOMEM. */
static int find_separator(rdv_str text, bool named, rdv_arena *arena, char *best)
{
    size_t least = named ? 1 : 2;
    static const char separators[] = {',', '\t', ';'};
    *best = 0;
    for (size_t i = 0; i < sizeof separators; i++) {
        size_t n;
        if (count_columns(text, separators[i], named, arena, &n) != RDV_OK)
            return RDV_E_NOMEM;
        if (n < least)
            continue;
        least = n + 1;
        *best = separators[i];
    }
    return RDV_OK;
}

static int look_for_table(rdv_str text, const char *path, rdv_file_look *look, rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    char separator = 0;
    int rc = arena ? find_separator(text, named_table(path), arena, &separator) : RDV_E_NOMEM;
    rdv_arena_free(&arena);
    if (rc != RDV_OK)
        return rdv_no_memory(err);
    if (separator)
        *look = (rdv_file_look){.kind = RDV_FILE_TABLE, .separator = separator};
    else if (named_table(path))
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "a table without a header",
                                "give its columns names in the first line"};
    else if (named_json(path))
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "text that is not JSON",
                                "if it is a solution, name the file .txt"};
    else
        *look = (rdv_file_look){.kind = RDV_FILE_TEXT};
    return RDV_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool has_control(rdv_str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] < 0x20 && !strchr("\t\n\v\f\r\x1b", text.p[i]))
            return true;
    return rdv_find_char(text, '\0', 0) != RDV_NOT_FOUND;
}

/* All of it UTF-8, but for a character that is cut off at the end? */
static bool is_utf8(rdv_str text)
{
    return text.len - rdv_utf8_valid(text) < 4 && rdv_utf8_valid(text) + 3 >= text.len;
}

/* Does a line at or after `from` begin like a record of JSON Lines, with `mark`? Programs write
 * lines of their own before them. */
static bool has_record(rdv_str text, rdv_str mark, size_t from)
{
    return rdv_find(text, mark, from > mark.len ? from - mark.len : 0) != RDV_NOT_FOUND;
}

/* Text in which each character takes two or four bytes, without the mark that says so: of letters,
 * digits and signs all but one are zero. */
static bool find_wide(rdv_str text, rdv_file_look *look)
{
    static const struct {
        const char *zeros; /* of four bytes: '0' is zero, 'x' is not */
        const char *what, *advice;
    } rows[] = {
        {"x000", "text in UTF-32", "convert it: iconv -f UTF-32LE -t UTF-8 %s"},
        {"000x", "text in UTF-32", "convert it: iconv -f UTF-32BE -t UTF-8 %s"},
        {"x0x0", "text in UTF-16", "convert it: iconv -f UTF-16LE -t UTF-8 %s"},
        {"0x0x", "text in UTF-16", "convert it: iconv -f UTF-16BE -t UTF-8 %s"},
    };
    size_t fours = (text.len < WIDE ? text.len : WIDE) / 4;
    for (size_t i = 0; fours && i < sizeof rows / sizeof *rows; i++) {
        size_t fit = 0;
        for (size_t k = 0; k < fours; k++) {
            bool fits = true;
            for (size_t b = 0; b < 4; b++)
                fits = fits && (text.p[4 * k + b] == 0) == (rows[i].zeros[b] == '0');
            fit += fits;
        }
        if (10 * fit < 8 * fours) /* a word of another script may stand among them */
            continue;
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, rows[i].what, rows[i].advice};
        return true;
    }
    return false;
}

/* Does it begin as JSON does, also where the name is that of a text: '{' and a member's name? */
static bool opens_object(rdv_str text)
{
    rdv_str rest = text;
    if (rdv_starts(rest, RDV_STR("[")))
        rest = rdv_slice(rest, rdv_skip_any(rest, 1, " \t\r\n"), rest.len);
    return rdv_starts(rest, RDV_STR("{")) &&
           rdv_char_at(rest, rdv_skip_any(rest, 1, " \t\r\n")) == '"';
}

/* Does it begin as JSON does? Text may begin with a bracket, too, and so may any bytes. */
static bool opens_json(rdv_str text, const char *path)
{
    rdv_str head = rdv_slice(text, 0, HEAD);
    if (opens_object(text))
        return true;
    return text.len && (text.p[0] == '{' || text.p[0] == '[') && !named_text(path) &&
           !has_control(head) && is_utf8(head);
}

/* ---- the decision ---------------------------------------------------------------------------- */

static int decide(rdv_str text, const char *path, rdv_file_look *look, rdv_error *err)
{
    if (rdv_starts(text, RDV_STR("PK\3\4")) || rdv_starts(text, RDV_STR("PK\5\6")))
        *look = (rdv_file_look){.kind = RDV_FILE_ZIP};
    else if (find_magic(text, look) || opens_json(text, path) || find_wide(text, look))
        return RDV_OK;
    else if (has_control(text))
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "a binary file of no known kind", NULL};
    else if (!is_utf8(text))
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "text that is not UTF-8",
                                "convert it: iconv -f ISO-8859-1 -t UTF-8 %s"};
    else if (rdv_events_begin(text))
        *look = (rdv_file_look){.kind = RDV_FILE_EVENTS};
    else if (named_yaml(path))
        *look = (rdv_file_look){RDV_FILE_OTHER, 0, "a YAML file",
                                "write it as JSON: python3 -c 'import json, sys, yaml; "
                                "json.dump(yaml.safe_load(open(\"%s\")), sys.stdout)'"};
    else if (named_text(path))
        *look = (rdv_file_look){.kind = RDV_FILE_TEXT};
    else
        return look_for_table(text, path, look, err);
    return RDV_OK;
}

int rdv_file_look_at(rdv_bytes *bytes, const char *path, rdv_file_look *look, rdv_error *err)
{
    rdv_str text = {0}, rest = {0};
    rdv_file_look other;
    size_t before, begin = 0;
    bool binary = false;
    *look = (rdv_file_look){.kind = RDV_FILE_JSON};
    /* No further than needed: a pipe may be filled as slowly as a person types. */
    do {
        before = text.len;
        int rc = rdv_bytes_peek(bytes, before + 1, &text, err);
        if (rc != RDV_OK)
            return rc;
        if (begin == 0 && rdv_starts(text, RDV_STR("\xef\xbb\xbf")))
            begin = 3;
        while (begin < text.len && rdv_is_space(text.p[begin]))
            begin++;
        rest = rdv_slice(text, begin, text.len);
        bool known = rest.len > 3 && find_magic(rest, &other);
        bool opens = rest.len > 3 && opens_json(rest, path);
        if (opens && !known)
            return RDV_OK;
        /* Python's own notation may be a single line; other files may hold anything. */
        binary = binary || has_control(rdv_slice(text, before, text.len));
        rdv_str mark = opens ? RDV_STR("\n{\"") : RDV_STR("\n{");
        if ((opens || !known) && !binary && !named_text(path) && has_record(text, mark, before))
            return RDV_OK;
    } while (text.len > before && text.len < RDV_PEEK_BYTES);
    return rest.len ? decide(rest, path, look, err) : RDV_OK;
}

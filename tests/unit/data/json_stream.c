/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of files, and how reading goes on after what is broken. */
#include "reading.h"

#include "data/scan.h"

#include <zlib.h>

#define A "{\"question\":\"a\",\"id\":1}"
#define B "{\"question\":\"b\",\"id\":2}"
#define C "{\"question\":\"c\",\"id\":3}"

/* The first byte that ends plain text is found at each place, whatever stands before and behind. */
static void test_scan_plain__each_byte_at_each_place(void **state)
{
    (void)state;
    static const char fillers[] = {' ', '!', '#', '[', ']', 'a', '\x7f', '\x80', '\xff'};
    for (size_t f = 0; f < sizeof fillers; f++)
        for (int byte = 0; byte < 256; byte++)
            for (size_t at = 0; at < 40; at++) {
                char text[40];
                memset(text, fillers[f], sizeof text);
                text[at] = (char)byte;
                bool ends = byte < 0x20 || byte == '"' || byte == '\\';
                size_t found = rdv_scan_plain((rdv_str){text, sizeof text}, 0);
                assert_int_equal(found, ends ? at : sizeof text);
                assert_int_equal(rdv_scan_plain((rdv_str){text, sizeof text}, at + 1), sizeof text);
            }
}

static void test_shape__lines(void **state)
{
    (void)state;
    reads(A "\n" B "\n", A "\n" B "\n");
    reads(A "\n" B, A "\n" B "\n");
    reads("", "");
    reads("\n\r\n  \n", "");
    reads("\xef\xbb\xbf" A "\r\n\r\n  " B "\r\n", A "\n" B "\n");
}

static void test_shape__list(void **state)
{
    (void)state;
    reads("[" A "," B "]", A "\n" B "\n");
    reads("[\n " A ",\n " B "\n]\n", A "\n" B "\n");
    reads("[]", "");
    reads("[" A ",, " B ",]", A "\n" B "\n");
}

static void test_shape__object_of_records(void **state)
{
    (void)state;
    reads("{\"x\":" A ",\"y\":" B "}", A "\n" B "\n");
    reads("{\"x\":[" A "," B "],\n \"y\":[" C "]}", A "\n" B "\n" C "\n");
    reads("{\"about\":\"}{[\\\"\",\"n\":[1],\"examples\":[" A "," B "],\"v\":2}", A "\n" B "\n");
    reads("{\"x\":[" A "]}\n{\"y\":[" B "]}\n", A "\n" B "\n");
}

static void test_shape__pretty_printed(void **state)
{
    (void)state;
    reads("{\n  \"question\": \"a\",\n  \"id\": 1\n}\n{\n  \"question\": \"b\",\n  \"id\": 2\n}\n",
          A "\n" B "\n");
    reads("[\n  {\n    \"question\":\"a\",\n    \"id\":1,\n    \"x\":[1,\n2]\n  }\n]",
          "{\"question\":\"a\",\"id\":1,\"x\":[1, 2]}\n");
}

/* A cell in quotes is what stands in it, line ends too; those of rows are no part of any. */
static void test_shape__table(void **state)
{
    (void)state;
    reads("id,question,gold\r\n1,\"a\r\nb\n\"\"c\"\"\",7\r\n2,\"d\r\",8\r\n",
          "{\"id\":\"1\",\"question\":\"a\\r\\nb\\n\\\"c\\\"\",\"gold\":\"7\"}\n"
          "{\"id\":\"2\",\"question\":\"d\\r\",\"gold\":\"8\"}\n");
}

static void test_bad__line_and_column(void **state)
{
    (void)state;
    reads(A "\n{\"question\":\"b\" \"id\":2}\n" C,
          A "\n! in.jsonl:2:17: expected ',' or '}'\n" C "\n");
    reads("nonsense\n" A, "! in.jsonl:1:1: a record must be a JSON object\n" A "\n");
    reads("[1,2]\n", "! in.jsonl:1:2: expected a record, a JSON object\n");
    reads(A " x\n" B, "! in.jsonl:1:24: something follows the record\n" B "\n");
    reads("{\"question\":\"a\n" B, "! in.jsonl:1:15: the record ends too early\n" B "\n");
    reads("{\"question\":\"a\\q\"}\n" B, "! in.jsonl:1:16: no such escape in a string\n" B "\n");
    reads("{\"question\":01}\n" B, "! in.jsonl:1:14: expected ',' or '}'\n" B "\n");
    reads("{\"question\":tru}\n" B,
          "! in.jsonl:1:16: not a value (true, false and null are the only words)\n" B "\n");
    reads("{\"question\":1.}\n" B, "! in.jsonl:1:15: not a number\n" B "\n");
    reads("{\"question\":\"a\"]\n" B, "! in.jsonl:1:16: ']' closes an object\n" B "\n");
    reads("{'question':1}\n" B,
          "! in.jsonl:1:2: expected a member's name in double quotes\n" B "\n");
}

/* Of a line the first fault is told, and the records on it are read all the same. */
static void test_bad__one_fault_a_line(void **state)
{
    (void)state;
    reads("[1,2,\n3," A ",4,\n" B ",{\"question\":},{\"question\":}," C "]",
          "! in.jsonl:1:2: expected a record, a JSON object\n"
          "! in.jsonl:2:1: expected a record, a JSON object\n" A "\n" B "\n"
          "! in.jsonl:3:37: a value is missing\n" C "\n");
    char flood[1000];
    memset(flood, '[', sizeof flood - 1);
    flood[sizeof flood - 1] = '\0';
    reads(flood, "! in.jsonl:1:2: expected a record, a JSON object\n");
}

/* A list of messages is a chat, one list after the other; a list of records with roles is none. */
static void test_shape__chats(void **state)
{
    (void)state;
    reads("[{\"role\":\"user\",\"content\":\"Q\"},\n {\"role\":\"assistant\",\"content\":\"a\"}]\n"
          "[{\"from\":\"human\",\"value\":\"Q\"},{\"from\":\"gpt\",\"value\":\"b\"}]",
          "{\"id\":\"in/0\",\"question\":\"Q\",\"steps\":[\"a\"]}\n"
          "{\"id\":\"in/1\",\"question\":\"Q\",\"steps\":[\"b\"]}\n");
    reads("[{\"role\":\"user\",\"question\":\"a\",\"content\":\"x\"}]",
          "{\"role\":\"user\",\"question\":\"a\",\"content\":\"x\",\"id\":\"in/0\"}\n");
}

/* A record that cannot be read keeps its number, so that the ids of those after it, by which a
 * journal finds their replies, stay when it is mended. */
static void test_bad__keeps_its_number(void **state)
{
    static const char ask[] = "{\"question\":\"a\"}\n", longer[] = "{\"question\":\"aaaaa\"}\n";
    static const char *const broken[] = {"{\"question\":}\n", longer, ask};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char text[256], out[1024];
        const rdv_read_options options = {
            .size = sizeof options, .name = "in", .max_record_bytes = sizeof ask};
        snprintf(text, sizeof text, "%s%s%s", ask, broken[i], ask);
        read_all(text, strlen(text), 0, &options, out, sizeof out);
        assert_non_null(strstr(out, "\"id\":\"in/0\""));
        assert_int_equal(strstr(out, "\"id\":\"in/1\"") != NULL, i == 2);
        assert_non_null(strstr(out, "\"id\":\"in/2\""));
    }
}

static void test_bad__in_a_list(void **state)
{
    (void)state;
    reads("[\n" A ",\n{\"question\":\"x\",\n" B ",\n" C "]",
          A "\n! in.jsonl:4:1: expected a member's name in double quotes\n" B "\n" C "\n");
    reads("[" A ",{\"a\" 1}," B "]", A "\n! in.jsonl:1:31: expected ':'\n" B "\n");
    reads("[" A ",\n7,\n" B "]", A "\n! in.jsonl:2:1: expected a record, a JSON object\n" B "\n");
    reads("[" A "," B, A "\n" B "\n! in.jsonl:1:49: the file ends without its closing ']'; is it "
                         "whole?\n");
    reads("[" A ",{\"question\":",
          A "\n! in.jsonl:1:38: the file ends inside a record; is it whole?\n");
}

/* One message for the file, and not one a line of it. */
static void test_bad__cut_pretty_printed(void **state)
{
    (void)state;
    reads("{\n  \"question\": \"a\",\n  \"steps\": [\n    \"b\",\n    \"c",
          "! in.jsonl:5:7: the file ends inside a record; is it whole?\n");
    reads("{\n  \"version\": 2,\n  \"eval\": {},\n  \"samples\": [\n" A ",\n" B
          ",\n{\n\"question\"",
          A "\n" B "\n! in.jsonl:8:11: the file ends inside a record; is it whole?\n");
    reads("{\n  \"version\": 2,\n  \"eval\": {},\n  \"samples\": [\n" A ",",
          A "\n! in.jsonl:5:25: the file ends without its closing '}'; is it whole?\n");
    reads("{\"question\":\n", "! in.jsonl:1:13: the record ends too early\n");
}

static void test_bad__nul_and_utf8(void **state)
{
    (void)state;
    static const char text[] = "{\"question\":\"a\0b\"}\n" B "\n{\"question\":\"\xc3(\"}\n" A "\n";
    char out[1024];
    read_all(text, sizeof text - 1, 0, NULL, out, sizeof out);
    assert_string_equal(out, "! in.jsonl:1:15: a NUL byte\n" B
                             "\n! in.jsonl:3:14: byte 0xc3 is not UTF-8; convert the file first\n" A
                             "\n");
}

static void test_bad__names(void **state)
{
    (void)state;
    reads("{\"question\":1,\"question\":2}\n",
          "! in.jsonl:1:15: member \"question\" stands twice; which one is meant?\n");
    reads("{\"question\":1,\"que\\u0073tion\":2}\n",
          "! in.jsonl:1:15: member \"question\" stands twice; which one is meant?\n");
    reads("{\"\\ud800\":1}\n", "! in.jsonl:1:2: a member's name is not valid Unicode\n");
    reads("{\"que\\u0073tion\":\"a\",\"id\":1}\n", A "\n");
}

static void test_limits__depth(void **state)
{
    (void)state;
    size_t n = 10000, room = 5 * n + 64, len = 0;
    char *text = malloc(room), out[1024];
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        len += (size_t)snprintf(text + len, room - len, "{\"a\":");
    len += (size_t)snprintf(text + len, room - len, "\n%s\n", A);
    assert_true(len < room);
    read_all(text, len, 0, NULL, out, sizeof out);
    assert_string_equal(out, "! in.jsonl:1:2561: nested too deeply\n" A "\n");
    text[0] = '['; /* a list cannot hold {"a": without the brace: no member of it is a record */
    read_all(text, len, 0, NULL, out, sizeof out);
    assert_non_null(strstr(out, "in.jsonl:1:2: expected a record"));
    free(text);
}

static void test_limits__length(void **state)
{
    (void)state;
    char out[1024];
    rdv_read_options options = {.size = sizeof options, .max_record_bytes = 40};
    const char *lines = A "\n{\"question\":\"0123456789012345678901234567890123456789\"}\n" B "\n";
    const char *list =
        "[" A ",\n{\"question\":\"0123456789012345678901234567890123456789\"},\n" B "]";
    for (size_t piece = 0; piece < 4; piece++) {
        read_all(lines, strlen(lines), piece, &options, out, sizeof out);
        assert_string_equal(out,
                            A "\n! in.jsonl:2:1: a record of more than 40 bytes; it was passed "
                              "over\n" B "\n");
        read_all(list, strlen(list), piece, &options, out, sizeof out);
        assert_string_equal(out,
                            A "\n! in.jsonl:2:41: a record of more than 40 bytes; it was passed "
                              "over\n" B "\n");
    }
    /* A first object larger than a record may be, whose first member holds records, is a file. */
    const char *file = "{\"x:\\\"\":[" A "," B "],\"y\":" C "}";
    read_all(file, strlen(file), 0, &options, out, sizeof out);
    assert_string_equal(out, A "\n" B "\n" C "\n");
}

/* Each chain of a record repeats its question: many of them make a little file a large one. */
static void test_limits__chains(void **state)
{
    (void)state;
    size_t n = RDV_MAX_CHAINS + 1, room = 4 * n + 256, len;
    char *text = malloc(room), out[1024];
    assert_non_null(text);
    len = (size_t)snprintf(text, room, "{\"question\":\"q\",\"answer\":\"1\",\"generated\":[\"\"");
    for (size_t i = 1; i < n; i++)
        len += (size_t)snprintf(text + len, room - len, ",\"\"");
    len += (size_t)snprintf(text + len, room - len, "],\"results\":[]}\n%s\n", A);
    assert_true(len < room);
    read_all(text, len, 0, NULL, out, sizeof out);
    assert_string_equal(out, "! in.jsonl:1: 10001 chains, more than 10000\n" A "\n");
    free(text);
}

static void test_limits__members(void **state)
{
    (void)state;
    char out[1024];
    rdv_read_options options = {.size = sizeof options, .max_members = 2, .max_steps = 1};
    const char *text =
        "{\"question\":1,\"b\":2,\"c\":3}\n{\"question\":\"q\",\"steps\":[\"a\",\"b\"]}\n";
    read_all(text, strlen(text), 0, &options, out, sizeof out);
    assert_string_equal(out, "! in.jsonl:1:21: more than 2 members\n"
                             "! in.jsonl:2: 2 steps, more than 1\n");
}

/* ---- gzip ------------------------------------------------------------------------------------ */

static size_t pack(const char *text, unsigned char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void test_gzip__members_one_after_the_other(void **state)
{
    (void)state;
    unsigned char packed[512];
    size_t n = pack(A "\n", packed, sizeof packed);
    n += pack(B "\n", packed + n, sizeof packed - n);
    char out[1024];
    for (size_t piece = 0; piece < 3; piece++) {
        read_all((char *)packed, n, piece, NULL, out, sizeof out);
        assert_string_equal(out, A "\n" B "\n");
    }
}

static void test_gzip__truncated_and_damaged(void **state)
{
    (void)state;
    unsigned char packed[512];
    size_t first = pack(A "\n", packed, sizeof packed);
    size_t n = first + pack(B "\n", packed + first, sizeof packed - first);
    char out[1024];
    read_all((char *)packed, n - 10, 0, NULL, out, sizeof out);
    assert_string_equal(out,
                        A "\n! in.jsonl:2:1: the gzip data ends too early; is the file whole?\n");
    packed[first] = 'x';
    read_all((char *)packed, n, 0, NULL, out, sizeof out);
    assert_string_equal(out,
                        A "\n! in.jsonl:2:1: the gzip data is damaged: incorrect header check\n");
}

static ptrdiff_t fail_to_read(void *cookie, void *bytes, size_t size)
{
    (void)cookie;
    (void)bytes;
    (void)size;
    return -1;
}

static void test_source__failure_is_final(void **state)
{
    (void)state;
    rdv_reader *reader;
    rdv_error err = {0};
    rdv_record record;
    assert_int_equal(
        rdv_reader_open_source((rdv_source){NULL, fail_to_read}, "x", NULL, &reader, &err), RDV_OK);
    rdv_arena *arena = rdv_arena_new(0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rdv_reader_next(reader, arena, &record, &err), RDV_E_IO);
        assert_string_equal(err.msg, "x:1:1: reading failed");
    }
    rdv_arena_free(&arena);
    rdv_reader_close(&reader);
    assert_int_equal(rdv_reader_open("/nowhere/at/all", NULL, &reader, &err), RDV_E_IO);
    assert_string_equal(err.msg, "/nowhere/at/all: cannot be opened: No such file or directory");
    assert_null(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_plain__each_byte_at_each_place),
        cmocka_unit_test(test_shape__lines),
        cmocka_unit_test(test_shape__list),
        cmocka_unit_test(test_shape__object_of_records),
        cmocka_unit_test(test_shape__pretty_printed),
        cmocka_unit_test(test_shape__table),
        cmocka_unit_test(test_bad__line_and_column),
        cmocka_unit_test(test_bad__one_fault_a_line),
        cmocka_unit_test(test_shape__chats),
        cmocka_unit_test(test_bad__keeps_its_number),
        cmocka_unit_test(test_bad__in_a_list),
        cmocka_unit_test(test_bad__cut_pretty_printed),
        cmocka_unit_test(test_bad__nul_and_utf8),
        cmocka_unit_test(test_bad__names),
        cmocka_unit_test(test_limits__depth),
        cmocka_unit_test(test_limits__length),
        cmocka_unit_test(test_limits__chains),
        cmocka_unit_test(test_limits__members),
        cmocka_unit_test(test_gzip__members_one_after_the_other),
        cmocka_unit_test(test_gzip__truncated_and_damaged),
        cmocka_unit_test(test_source__failure_is_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

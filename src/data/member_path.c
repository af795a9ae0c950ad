/* SPDX-License-Identifier: Apache-2.0 */
#include "data/member_path.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

static int add_part(rdv_member_path *path, rdv_str part, rdv_arena *arena, rdv_error *err)
{
    if (path->n == RDV_MAX_PATH_PARTS)
        return rdv_fail(err, RDV_E_ARGUMENT, "the path \"%.80s\" has more than %d parts",
                        path->text, RDV_MAX_PATH_PARTS);
    path->parts[path->n] = rdv_cstring(arena, part);
    return path->parts[path->n++] ? RDV_OK : rdv_no_memory(err);
}

/* "~1" stands for a slash, "~0" for a tilde. */
static void unescape(char *part)
{
    char *to = part;
    for (const char *p = part; *p; p++) {
        bool escaped = *p == '~' && (p[1] == '0' || p[1] == '1');
        *to++ = !escaped ? *p : p[1] == '1' ? '/' : '~';
        p += escaped;
    }
    *to = '\0';
}

static int read_pointer(rdv_member_path *path, rdv_arena *arena, rdv_error *err)
{
    rdv_str rest = rdv_str_of(path->text);
    while (rest.len) {
        size_t end = rdv_find_char(rest, '/', 1);
        int rc = add_part(path, rdv_slice(rest, 1, end), arena, err);
        if (rc != RDV_OK)
            return rc;
        unescape(path->parts[path->n - 1]);
        rest = rdv_slice(rest, end == RDV_NOT_FOUND ? rest.len : end, rest.len);
    }
    return RDV_OK;
}

static int not_a_path(const rdv_member_path *path, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "\"%.80s\" is no path: write names with points, a.b[0].c, or a JSON Pointer, "
                    "/a/b/0/c",
                    path->text);
}

static int read_dotted(rdv_member_path *path, rdv_arena *arena, rdv_error *err)
{
    const char *p = path->text;
    for (;;) {
        bool bracket = *p == '[';
        p += bracket;
        size_t len = strcspn(p, bracket ? "]" : ".[");
        if (len == 0 || (bracket && p[len] != ']'))
            return not_a_path(path, err);
        int rc = add_part(path, (rdv_str){p, len}, arena, err);
        if (rc != RDV_OK)
            return rc;
        p += len + bracket;
        if (!*p)
            return RDV_OK;
        if (*p == '.')
            p++;
        else if (*p != '[')
            return not_a_path(path, err);
    }
}

int rdv_member_path_read(rdv_member_path *path, const char *text, rdv_arena *arena, rdv_error *err)
{
    *path = (rdv_member_path){.text = text};
    if (!text)
        return RDV_OK;
    if (!*text)
        return not_a_path(path, err);
    path->pointer = *text == '/';
    return (path->pointer ? read_pointer : read_dotted)(path, arena, err);
}

/* ---- finding --------------------------------------------------------------------------------- */

static const json_t *element(const json_t *list, const char *index, bool may_be_last)
{
    char *end;
    if (may_be_last && strcmp(index, "-1") == 0)
        return json_array_get(list, json_array_size(list) - 1);
    if (!rdv_is_digit(*index) || (*index == '0' && index[1]))
        return NULL;
    unsigned long long i = strtoull(index, &end, 10);
    return *end || i > RDV_MAX_RECORD_BYTES ? NULL : json_array_get(list, (size_t)i);
}

const json_t *rdv_member_path_find(const rdv_member_path *path, rdv_members *in)
{
    if (rdv_members_have(in, path->text))
        return rdv_members_get(in, path->text);
    const json_t *value = path->n ? rdv_members_get(in, path->parts[0]) : NULL;
    for (size_t i = 1; value && i < path->n; i++)
        value = json_is_array(value) ? element(value, path->parts[i], !path->pointer)
                                     : json_object_get(value, path->parts[i]);
    return value;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <Python.h>

#include "binding/arrow.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- the interface, as Arrow states it ------------------------------------------------------- */

#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

/* ---- the table ------------------------------------------------------------------------------- */

struct column {
    char *name, *format;
    int64_t n_null;
    void *validity, *offsets, *data;
    const void *buffers[3]; /* as an array has them */
    int64_t n_buffers;
};

/* Immutable once it is shared; each part that a consumer has holds a reference. */
struct binding_table {
    atomic_size_t references;
    int64_t n_rows;
    size_t n_columns;
    struct column *columns;
    const void *no_validity[1]; /* of the struct of all columns: no row is null */
};

static atomic_size_t tables;

binding_table *binding_table_new(size_t n_columns, int64_t n_rows)
{
    binding_table *table = calloc(1, sizeof *table);
    if (!table || !(table->columns = calloc(n_columns + 1, sizeof *table->columns))) {
        free(table);
        return NULL;
    }
    atomic_init(&table->references, 1);
    table->n_columns = n_columns;
    table->n_rows = n_rows;
    atomic_fetch_add(&tables, 1);
    return table;
}

size_t binding_tables(void)
{
    return atomic_load(&tables);
}

void binding_table_free(binding_table *table)
{
    if (!table || atomic_fetch_sub(&table->references, 1) > 1)
        return;
    for (size_t i = 0; i < table->n_columns; i++) {
        struct column *c = &table->columns[i];
        free(c->name);
        free(c->format);
        free(c->validity);
        free(c->offsets);
        free(c->data);
    }
    free(table->columns);
    free(table);
    atomic_fetch_sub(&tables, 1);
}

static binding_table *hold(binding_table *table)
{
    atomic_fetch_add(&table->references, 1);
    return table;
}

/* A copy that is never NULL for an empty one; *ok becomes false when out of memory. */
static void *copy(const void *bytes, size_t size, bool *ok)
{
    void *made = bytes ? malloc(size + 1) : NULL;
    *ok &= made || !bytes;
    if (made && size)
        memcpy(made, bytes, size);
    return made;
}

bool binding_table_column(binding_table *table, size_t i, const char *name, const char *format,
                          int64_t n_null, const void *validity, size_t validity_size,
                          const void *offsets, size_t offsets_size, const void *data,
                          size_t data_size)
{
    bool ok = true;
    struct column *c = &table->columns[i];
    c->name = strdup(name);
    c->format = strdup(format);
    c->n_null = n_null;
    c->validity = copy(validity, validity_size, &ok);
    c->offsets = copy(offsets, offsets_size, &ok);
    c->data = copy(data, data_size, &ok);
    c->buffers[c->n_buffers++] = c->validity;
    if (offsets)
        c->buffers[c->n_buffers++] = c->offsets;
    c->buffers[c->n_buffers++] = c->data;
    return ok && c->name && c->format;
}

/* ---- schemas --------------------------------------------------------------------------------- */

/* A consumer may have moved a child out, and set its `release` to NULL. */
static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    free(schema->children);
    binding_table_free(schema->private_data);
    schema->release = NULL;
}

static bool make_schema(binding_table *table, struct ArrowSchema *out)
{
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .release = release_schema,
                                .private_data = hold(table),
                                .children = calloc(table->n_columns + 1, sizeof *out->children)};
    for (size_t i = 0; out->children && i < table->n_columns; i++) {
        struct ArrowSchema *child = malloc(sizeof *child);
        if (!child)
            break;
        *child = (struct ArrowSchema){.format = table->columns[i].format,
                                      .name = table->columns[i].name,
                                      .flags = ARROW_FLAG_NULLABLE,
                                      .release = release_schema,
                                      .private_data = hold(table)};
        out->children[out->n_children++] = child;
    }
    if (out->children && (size_t)out->n_children == table->n_columns)
        return true;
    release_schema(out);
    return false;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    free(array->children);
    binding_table_free(array->private_data);
    array->release = NULL;
}

static bool make_array(binding_table *table, struct ArrowArray *out)
{
    *out = (struct ArrowArray){.length = table->n_rows,
                               .n_buffers = 1,
                               .buffers = table->no_validity,
                               .release = release_array,
                               .private_data = hold(table),
                               .children = calloc(table->n_columns + 1, sizeof *out->children)};
    for (size_t i = 0; out->children && i < table->n_columns; i++) {
        struct column *c = &table->columns[i];
        struct ArrowArray *child = malloc(sizeof *child);
        if (!child)
            break;
        *child = (struct ArrowArray){.length = table->n_rows,
                                     .null_count = c->n_null,
                                     .n_buffers = c->n_buffers,
                                     .buffers = c->buffers,
                                     .release = release_array,
                                     .private_data = hold(table)};
        out->children[out->n_children++] = child;
    }
    if (out->children && (size_t)out->n_children == table->n_columns)
        return true;
    release_array(out);
    return false;
}

/* ---- the stream ------------------------------------------------------------------------------ */

struct reading {
    binding_table *table;
    bool read; /* the one piece of the stream */
};

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    const struct reading *r = stream->private_data;
    return make_schema(r->table, out) ? 0 : ENOMEM;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct reading *r = stream->private_data;
    if (r->read) {
        *out = (struct ArrowArray){0}; /* the end */
        return 0;
    }
    r->read = make_array(r->table, out);
    return r->read ? 0 : ENOMEM;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "out of memory"; /* nothing else goes wrong */
}

static void release_stream(struct ArrowArrayStream *stream)
{
    struct reading *r = stream->private_data;
    binding_table_free(r->table);
    free(r);
    stream->release = NULL;
}

/* ---- capsules -------------------------------------------------------------------------------- */

/* A consumer that took the content has set its `release` to NULL. */
static void drop_stream(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    free(stream);
}

static void drop_schema(PyObject *capsule)
{
    struct ArrowSchema *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

void *binding_table_stream(binding_table *table)
{
    struct ArrowArrayStream *stream = malloc(sizeof *stream);
    struct reading *r = malloc(sizeof *r);
    if (!stream || !r) {
        free(stream);
        free(r);
        return NULL;
    }
    *r = (struct reading){.table = hold(table)};
    *stream = (struct ArrowArrayStream){.get_schema = get_schema,
                                        .get_next = get_next,
                                        .get_last_error = get_last_error,
                                        .release = release_stream,
                                        .private_data = r};
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *capsule = PyCapsule_New(stream, "arrow_array_stream", drop_stream);
    PyGILState_Release(lock);
    if (!capsule) {
        release_stream(stream);
        free(stream);
    }
    return capsule;
}

void *binding_table_schema(binding_table *table)
{
    struct ArrowSchema *schema = malloc(sizeof *schema);
    if (!schema || !make_schema(table, schema)) {
        free(schema);
        return NULL;
    }
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *capsule = PyCapsule_New(schema, "arrow_schema", drop_schema);
    PyGILState_Release(lock);
    if (!capsule) {
        release_schema(schema);
        free(schema);
    }
    return capsule;
}

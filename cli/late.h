/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Shared libraries that the program opens when it first calls one of their functions, so that what
 * asks no server and keeps no journal starts without them (docs/adr/0071). The files late_*.c
 * define the functions that the program calls, and forward each call. The rooms call them as usual;
 * the tests and librederive-run are linked with the libraries. */
#include <stdatomic.h>
#include <stddef.h>

/* The wheel of the Python package holds the libraries under names that auditwheel makes up. There a
 * library of ours that only needs the other one is opened (python/meson.build). */
#ifdef RDV_PYTHON_PACKAGE
#define LATE_FILES(name, ...) ((const char *const[]){"librederive-" name ".so", NULL})
#else
#define LATE_FILES(name, ...) ((const char *const[]){__VA_ARGS__, NULL})
#endif

typedef struct late_library {
    const char *const *files; /* the names that the library has on different systems, to be tried in
                                 this order; NULL-terminated */
    const char *needed_for;   /* for the message where none can be opened */
} late_library;

/* The function of that name. Where it cannot be had, a line says why, and the process ends with
 * status 3, as the dynamic linker ends it for a library that it opens. From any thread. */
void *late_function(const late_library *library, const char *name);

/* Set the variable `function` to the function `name` of `library`; it is looked for once. */
#define LATE_FIND(library, name)                                                                   \
    static _Atomic(__typeof__(&(name))) known;                                                     \
    __typeof__(&(name)) function = atomic_load_explicit(&known, memory_order_acquire);             \
    if (!function) {                                                                               \
        *(void **)&function = late_function(&(library), #name);                                    \
        atomic_store_explicit(&known, function, memory_order_release);                             \
    }

/* Define the function `name`. The compiler compares the definition with the library's header. */
#define LATE_FUNCTION(library, type, name, parameters, arguments)                                  \
    type name parameters                                                                           \
    {                                                                                              \
        LATE_FIND(library, name)                                                                   \
        return function arguments;                                                                 \
    }

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The tiny models that the build makes (tests/make_lm.py), and running jobs on them. */
#include "../test.h"
#include "lm/lm.h"
#include <stdio.h>
#include <stdlib.h>

/* "f32", "f16", "q8_0", "space": see meson.build. */
static inline rdv_lm *tiny_open(const char *name)
{
    char path[4096];
    rdv_error err = {0};
    rdv_lm *lm;
    snprintf(path, sizeof path, "%s/tiny_%s.gguf", getenv("RDV_TINY"), name);
    if (rdv_lm_open(&lm, path, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return lm;
}

/* The file in memory of its own, to be damaged; free() it. */
static inline char *tiny_bytes(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tiny_%s.gguf", getenv("RDV_TINY"), name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

static inline rdv_lm_engine *tiny_engine(const rdv_lm *lm, rdv_lm_options options)
{
    rdv_error err = {0};
    rdv_lm_engine *engine;
    if (rdv_lm_engine_new(&engine, lm, &options, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return engine;
}

static inline uint64_t tiny_submit(rdv_lm_engine *engine, const rdv_lm_job *job)
{
    rdv_error err = {0};
    uint64_t id = 0;
    if (rdv_lm_submit(engine, job, &id, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return id;
}

/* Step until an event is there. False: there will be none. */
static inline bool tiny_event(rdv_lm_engine *engine, rdv_lm_event *event)
{
    rdv_error err = {0};
    while (rdv_lm_poll(engine, event) != RDV_OK) {
        int rc = rdv_lm_step(engine, &err);
        if (rc < 0)
            fail_msg("%s", err.msg);
        if (rc == RDV_NONE)
            return rdv_lm_poll(engine, event) == RDV_OK;
    }
    return true;
}

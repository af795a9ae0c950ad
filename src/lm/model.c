/* SPDX-License-Identifier: Apache-2.0 */
#include "lm/model.h"
#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- sizes ----------------------------------------------------------------------------------- */

typedef struct wanted_size {
    const char *key;
    uint32_t least, most;
    uint32_t *out;
} wanted_size;

/* Settings that a plain llama model does not have would change its results, so they are refused. */
static int refuse_variants(const gguf *g, rdv_error *err)
{
    static const char *const zero[] = {"llama.expert_count", "llama.attention.sliding_window"};
    uint64_t n = 0;
    rdv_str scaling = RDV_STR("none");
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        int rc = gguf_whole(g, zero[i], 0, UINT32_MAX, &n, err);
        if (rc < 0)
            return rc;
        if (rc == RDV_OK && n != 0)
            return rdv_fail(err, RDV_E_INPUT, "%s is not 0: no plain llama model", zero[i]);
    }
    int rc = gguf_text(g, "llama.rope.scaling.type", &scaling, err);
    if (rc < 0)
        return rc;
    if (!rdv_str_eq(scaling, RDV_STR("none")))
        return rdv_fail(err, RDV_E_INPUT, "llama.rope.scaling.type is not \"none\"");
    return RDV_OK;
}

/* A size that may be missing; if present, it must have this value. */
static int check_same(const gguf *g, const char *key, uint64_t same, rdv_error *err)
{
    int rc = gguf_whole(g, key, same, same, &same, err);
    return rc < 0 ? rc : RDV_OK;
}

static int read_floats(lm_sizes *s, const gguf *g, rdv_error *err)
{
    double epsilon = NAN;
    s->rope_base = 10000;
    int rc = gguf_float(g, "llama.attention.layer_norm_rms_epsilon", &epsilon, err);
    if (rc >= 0)
        rc = gguf_float(g, "llama.rope.freq_base", &s->rope_base, err);
    if (rc < 0)
        return rc;
    if (!(epsilon > 0 && epsilon < 1))
        return rdv_fail(err, RDV_E_INPUT,
                        "llama.attention.layer_norm_rms_epsilon is missing, or not in (0,1)");
    if (!(s->rope_base >= 1 && s->rope_base <= 1e9))
        return rdv_fail(err, RDV_E_INPUT, "llama.rope.freq_base is not from 1 to 10^9");
    s->epsilon = (float)epsilon;
    return RDV_OK;
}

static int check_heads(lm_sizes *s, const gguf *g, rdv_error *err)
{
    if (s->width % 32 || s->feed_forward % 32)
        return rdv_fail(err, RDV_E_INPUT,
                        "embedding and feed-forward length have to be "
                        "multiples of 32");
    s->head_size = s->width / s->heads;
    s->kv_width = s->kv_heads * s->head_size;
    if (s->width % s->heads || s->heads % s->kv_heads || s->head_size % 16 ||
        s->head_size > LM_MAX_HEAD_SIZE)
        return rdv_fail(err, RDV_E_INPUT,
                        "%u heads, %u of keys, in a width of %u: a head has to have a multiple of "
                        "16 elements, at most %d, and keys to serve a whole number of heads",
                        s->heads, s->kv_heads, s->width, LM_MAX_HEAD_SIZE);
    static const char *const sizes[] = {"llama.rope.dimension_count", "llama.attention.key_length",
                                        "llama.attention.value_length"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int rc = check_same(g, sizes[i], s->head_size, err);
        if (rc)
            return rc;
    }
    return RDV_OK;
}

/* The sizes in the file's metadata, checked. */
static int read_sizes(lm_sizes *s, const gguf *g, const vocab *v, rdv_error *err)
{
    const wanted_size wanted[] = {
        {"llama.context_length", 1, LM_MAX_CONTEXT, &s->context},
        {"llama.embedding_length", 32, LM_MAX_WIDTH, &s->width},
        {"llama.block_count", 1, LM_MAX_LAYERS, &s->layers},
        {"llama.feed_forward_length", 32, 4 * LM_MAX_WIDTH, &s->feed_forward},
        {"llama.attention.head_count", 1, LM_MAX_HEADS, &s->heads},
        {"llama.attention.head_count_kv", 1, LM_MAX_HEADS, &s->kv_heads}};
    uint64_t n = 0;
    int rc;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        rc = gguf_whole(g, wanted[i].key, wanted[i].least, wanted[i].most, &n, err);
        if (rc < 0)
            return rc;
        if (rc == RDV_NONE && wanted[i].out != &s->kv_heads) /* else: as many as heads */
            return rdv_fail(err, RDV_E_INPUT, "%s is missing", wanted[i].key);
        *wanted[i].out = (uint32_t)n;
    }
    s->vocab = (uint32_t)v->n;
    rc = check_same(g, "llama.vocab_size", v->n, err);
    if (!rc)
        rc = refuse_variants(g, err);
    if (!rc)
        rc = read_floats(s, g, err);
    return rc ? rc : check_heads(s, g, err);
}

/* ---- opening --------------------------------------------------------------------------------- */

#define ONLY_OWN                                                                                   \
    "; only files of the built-in model's own kind run in this program (llama, with weights of "   \
    "f32, f16, bf16 or q8_0); llama.cpp's server runs the others"

/* The architecture is checked first, because tensors of other architectures may be anything. */
static int read_parts(rdv_lm *lm, rdv_error *err)
{
    rdv_str architecture = {NULL, 0};
    int rc = gguf_read_values(&lm->g, lm->file, lm->arena, err);
    if (!rc)
        rc = gguf_text(&lm->g, "general.architecture", &architecture, err);
    if (rc == RDV_NONE)
        return rdv_fail(err, RDV_E_INPUT, "the file does not say its architecture" ONLY_OWN);
    if (rc < 0)
        return rc;
    if (!rdv_str_eq(architecture, RDV_STR("llama")))
        return rdv_fail(err, RDV_E_INPUT, "architecture \"%s\"" ONLY_OWN,
                        gguf_show(architecture).text);
    rdv_error why = {0};
    rc = gguf_read_tensors(&lm->g, lm->arena, &why);
    if (rc < 0)
        return rdv_fail(err, rc, "architecture \"llama\", but %s%s", why.msg,
                        rc == RDV_E_INPUT ? ONLY_OWN : "");
    return rc;
}

static int read_head(rdv_lm *lm, rdv_error *err)
{
    int rc = read_parts(lm, err);
    if (rc < 0)
        return rc;
    lm->name = RDV_STR("");
    rc = gguf_text(&lm->g, "general.name", &lm->name, err);
    if (rc >= 0)
        rc = gguf_text(&lm->g, "tokenizer.chat_template", &lm->chat_template, err);
    if (rc >= 0)
        rc = vocab_read(&lm->vocab, &lm->g, lm->arena, err);
    if (rc >= 0)
        rc = read_sizes(&lm->size, &lm->g, &lm->vocab, err);
    return rc;
}

int rdv_lm_read(rdv_lm **out, rdv_str bytes, rdv_error *err)
{
    *out = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_lm *lm = arena ? RDV_NEW(arena, rdv_lm) : NULL;
    if (!lm) {
        rdv_arena_free(&arena);
        return rdv_no_memory(err);
    }
    *lm = (rdv_lm){.arena = arena, .file = bytes};
    int rc = read_head(lm, err);
    if (rc >= 0)
        rc = lm_load_weights(lm, err);
    if (rc < 0) {
        rdv_arena_free(&arena);
        return rc;
    }
    *out = lm;
    return RDV_OK;
}

static int map_file(const char *path, rdv_str *bytes, rdv_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) {
        int rc = rdv_fail(err, RDV_E_IO, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return rc;
    }
    void *map = MAP_FAILED;
    errno = EINVAL;
    if (S_ISREG(about.st_mode) && about.st_size > 0)
        map = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    int why = errno;
    close(fd);
    if (!S_ISREG(about.st_mode) || about.st_size == 0)
        return rdv_fail(err, RDV_E_INPUT, "%s: not a file with anything in it", path);
    if (map == MAP_FAILED)
        return rdv_fail(err, RDV_E_IO, "%s: cannot be mapped: %s", path, strerror(why));
    *bytes = (rdv_str){map, (size_t)about.st_size};
    return RDV_OK;
}

int rdv_lm_open(rdv_lm **lm, const char *path, rdv_error *err)
{
    rdv_str bytes = {NULL, 0};
    *lm = NULL;
    int rc = map_file(path, &bytes, err);
    if (rc)
        return rc;
    rc = rdv_lm_read(lm, bytes, err);
    if (rc) {
        munmap((void *)(uintptr_t)bytes.p, bytes.len);
        return rdv_wrap(err, rc, "%s", path);
    }
    (*lm)->map = (void *)(uintptr_t)bytes.p;
    return RDV_OK;
}

void rdv_lm_close(rdv_lm **lm)
{
    if (!lm || !*lm)
        return;
    rdv_arena *arena = (*lm)->arena;
    if ((*lm)->map)
        munmap((*lm)->map, (*lm)->file.len);
    rdv_arena_free(&arena);
    *lm = NULL;
}

void rdv_lm_about(const rdv_lm *lm, rdv_lm_info *info)
{
    const lm_sizes *s = &lm->size;
    *info = (rdv_lm_info){
        .name = lm->name,
        .chat_template = lm->chat_template,
        .weights = rdv_str_of(gguf_weights_name(lm->embedding->weights)),
        .context = s->context,
        .vocab = s->vocab,
        .width = s->width,
        .layers = s->layers,
        .heads = s->heads,
        .kv_heads = s->kv_heads,
        .feed_forward = s->feed_forward,
        .params = lm->params,
        .file_bytes = lm->file.len,
        .packed_bytes = lm->packed_bytes,
        .step_head = lm->step_head != NULL,
        .chat = rdv_lm_control(lm, RDV_STR("<|user|>")) != RDV_LM_NO_TOKEN &&
                rdv_lm_control(lm, RDV_STR("<|assistant|>")) != RDV_LM_NO_TOKEN &&
                rdv_lm_control(lm, RDV_STR("<|system|>")) != RDV_LM_NO_TOKEN &&
                rdv_lm_control(lm, RDV_STR("<|end|>")) != RDV_LM_NO_TOKEN,
    };
}

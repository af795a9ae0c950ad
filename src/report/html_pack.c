/* SPDX-License-Identifier: Apache-2.0 */
/* The chains of a large report as data: an index, and chunks, compressed: their HTML, some dozens
 * of chains at a time, which the script unpacks to show them, and their texts, some hundreds at a
 * time, which it unpacks to search them. */
#include "report/html_parts.h"

#include "base/ordered_pool.h"
#include "base/str.h"
#include "report/html_text.h"

#include <nettle/base64.h>
#include <zlib.h>

#define HTML_CHAINS 64 /* at most, in a chunk */
#define HTML_BYTES ((size_t)256 << 10)
#define TEXT_CHAINS 1024
#define TEXT_BYTES ((size_t)1 << 20)
#define LEVEL                                                                                      \
    3 /* of compression: on recorded chains 5 % more bytes than 4, and the whole                   \
         command takes 13 % fewer instructions */
#define SLOTS_A_THREAD 2 /* chunks that wait or are compressed */

/* Marks what follows in a chunk: the head of a question, or a chain. No text of a record has these
 * bytes in a report. */
#define HEAD_BEGINS "\x1e"
#define CHAIN_BEGINS "\x1f"

/* Chunks of one kind. */
typedef struct chunks {
    rdv_str open; /* the tag before each */
    size_t max_chains, max_bytes;
    rdv_arena *arena; /* of the open chunk */
    rdv_buf part;     /* what is in it */
    size_t n;         /* chains in it */
    size_t written;   /* chains in finished chunks */
    size_t *firsts;   /* the first chain of each chunk, in the report's arena */
    size_t n_firsts, cap_firsts;
} chunks;

/* A finished chunk, which any thread compresses. */
typedef struct finished {
    rdv_str open;
    rdv_arena *arena; /* of `part` and `text` */
    rdv_buf part;
    rdv_str text; /* it compressed, in base64 */
    int code;
} finished;

typedef struct packer {
    rdv_html *html;
    const rdv_html_sink *sink;
    rdv_error *err;
    chunks htmls, texts;
    size_t question; /* whose head was written last in the open chunk; SIZE_MAX: none */
    ordered_pool *pool;
    finished *slots; /* of the pool, n_slots of them */
    size_t n_slots;
} packer;

/* ---- chunks ---------------------------------------------------------------------------------- */

static int compress_part(rdv_str bytes, rdv_arena *arena, rdv_str *out)
{
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return RDV_E_NOMEM;
    size_t room = deflateBound(&z, bytes.len);
    char *to = room <= UINT32_MAX ? rdv_alloc(arena, room) : NULL;
    z.next_in = (Bytef *)(uintptr_t)bytes.p;
    z.avail_in = (uInt)bytes.len;
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)room;
    int code = to ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
    deflateEnd(&z);
    *out = (rdv_str){to, room - z.avail_out};
    return code == Z_STREAM_END ? RDV_OK : RDV_E_NOMEM;
}

/* Compress the chunk in `slot`, in any thread. */
static void pack_slot(void *payload, size_t slot, size_t worker)
{
    finished *c = &((packer *)payload)->slots[slot];
    rdv_str packed = {0};
    c->code = rdv_buf_ok(&c->part) ? compress_part(rdv_buf_str(&c->part), c->arena, &packed)
                                   : RDV_E_NOMEM;
    size_t size = c->code == RDV_OK ? BASE64_ENCODE_RAW_LENGTH(packed.len) : 0;
    char *text = size ? rdv_alloc(c->arena, size) : NULL;
    if (!text)
        c->code = RDV_E_NOMEM;
    else
        base64_encode_raw(text, packed.len, (const uint8_t *)packed.p);
    c->text = (rdv_str){text, size};
}

static int put(const packer *p, rdv_str bytes)
{
    return p->sink->write(p->sink->payload, bytes, p->err);
}

/* Write the oldest chunk that was given to the pool. RDV_NONE: there is none, or it is not
 * compressed yet and `wait` is false. */
static int write_oldest(packer *p, bool wait)
{
    size_t slot = ordered_pool_oldest(p->pool, wait);
    if (slot == ORDERED_POOL_NONE)
        return RDV_NONE;
    const finished *c = &p->slots[slot];
    int code = c->code == RDV_OK ? put(p, c->open) : rdv_no_memory(p->err);
    if (code == RDV_OK)
        code = put(p, c->text);
    if (code == RDV_OK)
        code = put(p, RDV_STR("</script>\n"));
    ordered_pool_take(p->pool);
    return code;
}

/* Write what is compressed; with `all`, everything. */
static int write_packed(packer *p, bool all)
{
    int code = RDV_OK;
    while (code == RDV_OK)
        code = write_oldest(p, all);
    return code == RDV_NONE ? RDV_OK : code;
}

/* Give the open chunk to the pool, and take the arena of a free slot in exchange. */
static int give_chunk(packer *p, chunks *c)
{
    int code = write_packed(p, false);
    if (code == RDV_OK && ordered_pool_free_slot(p->pool) == ORDERED_POOL_NONE)
        code = write_oldest(p, true);
    if (code != RDV_OK)
        return code;
    finished *to = &p->slots[ordered_pool_free_slot(p->pool)];
    rdv_arena *free_one = to->arena;
    *to = (finished){.open = c->open, .arena = c->arena, .part = c->part};
    c->arena = free_one;
    ordered_pool_give(p->pool);
    return RDV_OK;
}

static void begin_chunk(chunks *c)
{
    rdv_arena_reset(c->arena);
    rdv_buf_init(&c->part, c->arena, 0);
    c->n = 0;
}

static int end_chunk(packer *p, chunks *c)
{
    int code = RDV_OK;
    if (c->n) {
        if (!RDV_PUSH_ROOM(p->html->arena, c->firsts, c->n_firsts, c->cap_firsts))
            return rdv_no_memory(p->err);
        c->firsts[c->n_firsts++] = c->written;
        c->written += c->n;
        code = give_chunk(p, c);
    }
    begin_chunk(c);
    return code;
}

/* Count a chain that was added to the open chunk, and end it if it is full. *ended: it was. */
static int chain_added(packer *p, chunks *c, bool *ended)
{
    c->n++;
    *ended = c->n >= c->max_chains || c->part.len >= c->max_bytes;
    return *ended ? end_chunk(p, c) : RDV_OK;
}

/* Append a piece of the temporary file. */
static int add_piece(packer *p, uint64_t at, uint32_t size, rdv_buf *to)
{
    rdv_str bytes;
    int code = html_read(p->html, (html_piece){at, size}, p->html->scratch, &bytes, p->err);
    if (code == RDV_OK)
        rdv_buf_add(to, bytes);
    return code;
}

static int add_html(packer *p, size_t question, const html_entry *e)
{
    const html_question *q = &p->html->questions[question];
    rdv_buf *to = &p->htmls.part;
    rdv_str anchor;
    bool ended;
    int code = RDV_OK;
    if (p->question != question) {
        rdv_buf_lit(to, HEAD_BEGINS);
        code = add_piece(p, q->head.at, q->head.size, to);
        if (code == RDV_OK)
            code = add_piece(p, q->result.at, q->result.size, to);
    }
    if (code == RDV_OK)
        code =
            html_read(p->html, (html_piece){e->at, e->anchor}, p->html->scratch, &anchor, p->err);
    if (code != RDV_OK)
        return code;
    rdv_buf_lit(to, CHAIN_BEGINS);
    html_article_open(to, e, anchor, question);
    code = add_piece(p, e->at + e->anchor, e->html, to);
    rdv_buf_lit(to, "</article>");
    if (code == RDV_OK)
        code = chain_added(p, &p->htmls, &ended);
    p->question = code == RDV_OK && ended ? SIZE_MAX : question; /* each chunk has its heads */
    return code;
}

static int add_text(packer *p, const html_entry *e)
{
    bool ended;
    int code = add_piece(p, e->at + e->anchor + e->html, e->text, &p->texts.part);
    rdv_buf_lit(&p->texts.part, "\n");
    return code == RDV_OK ? chain_added(p, &p->texts, &ended) : code;
}

static int add_chain(packer *p, size_t question, const html_entry *e)
{
    rdv_arena_reset(p->html->scratch);
    int code = add_html(p, question, e);
    return code == RDV_OK ? add_text(p, e) : code;
}

static int write_chunks(packer *p)
{
    int code = RDV_OK;
    for (size_t i = 0; i < p->html->n_questions && code == RDV_OK; i++) {
        uint32_t e = p->html->questions[i].first;
        for (; e != HTML_NONE && code == RDV_OK; e = p->html->entries[e].next)
            code = add_chain(p, i, &p->html->entries[e]);
    }
    if (code == RDV_OK)
        code = end_chunk(p, &p->htmls);
    if (code == RDV_OK)
        code = end_chunk(p, &p->texts);
    return code == RDV_OK ? write_packed(p, true) : code;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* Write what a list of the index says of each chain, in the order of the document. */
static int write_list(packer *p, const char *name,
                      void (*item)(packer *, size_t, const html_entry *))
{
    int code = RDV_OK;
    rdv_buf *b = &p->texts.part;
    begin_chunk(&p->texts);
    rdv_buf_printf(b, ",\n\"%s\":[", name);
    for (size_t i = 0, n = 0; i < p->html->n_questions && code == RDV_OK; i++) {
        uint32_t e = p->html->questions[i].first;
        for (; e != HTML_NONE && code == RDV_OK; e = p->html->entries[e].next, n++) {
            if (n)
                rdv_buf_lit(b, ",");
            item(p, i, &p->html->entries[e]);
            if (b->len < TEXT_BYTES)
                continue;
            code = rdv_buf_ok(b) ? put(p, rdv_buf_str(b)) : rdv_no_memory(p->err);
            rdv_buf_clear(b);
        }
    }
    rdv_buf_lit(b, "]");
    return code != RDV_OK ? code : rdv_buf_ok(b) ? put(p, rdv_buf_str(b)) : rdv_no_memory(p->err);
}

static void put_anchor(packer *p, size_t question, const html_entry *e)
{
    rdv_str anchor;
    rdv_arena_reset(p->html->scratch);
    if (html_read(p->html, (html_piece){e->at, e->anchor}, p->html->scratch, &anchor, p->err) !=
        RDV_OK) {
        p->texts.part.failed = true;
        return;
    }
    rdv_buf_printf(&p->texts.part, "\"%.*s\"", RDV_FMT(anchor));
}

static void put_flags(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->texts.part, "%d", e->flags);
}

static void put_dataset(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->texts.part, "%d", e->dataset);
}

static void put_method(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->texts.part, "%d", e->method);
}

static void put_question(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->texts.part, "%zu", question);
}

static void put_firsts(rdv_buf *b, const chunks *c)
{
    for (size_t i = 0; i < c->n_firsts; i++)
        rdv_buf_printf(b, i ? ",%zu" : "%zu", c->firsts[i]);
}

static int write_index(packer *p)
{
    static const struct {
        const char *name;
        void (*item)(packer *, size_t, const html_entry *);
    } lists[] = {{"flags", put_flags},
                 {"sets", put_dataset},
                 {"methods", put_method},
                 {"questions", put_question},
                 {"anchors", put_anchor}};
    rdv_buf b;
    rdv_arena_reset(p->html->scratch);
    rdv_buf_init(&b, p->html->scratch, 0);
    rdv_buf_lit(&b, "<script type=\"application/json\" id=\"index\">{\"chunks\":[");
    put_firsts(&b, &p->htmls);
    rdv_buf_lit(&b, "],\n\"texts\":[");
    put_firsts(&b, &p->texts);
    rdv_buf_lit(&b, "]");
    int code = rdv_buf_ok(&b) ? put(p, rdv_buf_str(&b)) : rdv_no_memory(p->err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && code == RDV_OK; i++)
        code = write_list(p, lists[i].name, lists[i].item);
    return code == RDV_OK ? put(p, RDV_STR("}</script>\n")) : code;
}

static int make_pool(packer *p)
{
    size_t threads = p->html->options.threads ? p->html->options.threads : 1;
    p->n_slots = SLOTS_A_THREAD * threads;
    p->slots = RDV_NEW_ARRAY(p->html->arena, finished, p->n_slots);
    for (size_t i = 0; p->slots && i < p->n_slots; i++)
        if (!(p->slots[i].arena = rdv_arena_new(0)))
            return rdv_no_memory(p->err);
    ordered_pool_options options = {
        .threads = threads, .slots = p->n_slots, .work = pack_slot, .payload = p};
    return p->slots && ordered_pool_new(&options, &p->pool) == RDV_OK ? RDV_OK
                                                                      : rdv_no_memory(p->err);
}

static void release(packer *p)
{
    ordered_pool_free(&p->pool);
    for (size_t i = 0; p->slots && i < p->n_slots; i++)
        rdv_arena_free(&p->slots[i].arena);
    rdv_arena_free(&p->htmls.arena);
    rdv_arena_free(&p->texts.arena);
}

int html_pack(rdv_html *html, const rdv_html_sink *sink, rdv_error *err)
{
    packer p = {.html = html, .sink = sink, .err = err, .question = SIZE_MAX};
    p.htmls = (chunks){.open = RDV_STR("<script type=\"text/plain\" class=\"packed-html\">"),
                       .max_chains = HTML_CHAINS,
                       .max_bytes = HTML_BYTES,
                       .arena = rdv_arena_new(0)};
    p.texts = (chunks){.open = RDV_STR("<script type=\"text/plain\" class=\"packed-text\">"),
                       .max_chains = TEXT_CHAINS,
                       .max_bytes = TEXT_BYTES,
                       .arena = rdv_arena_new(0)};
    int code = p.htmls.arena && p.texts.arena ? make_pool(&p) : rdv_no_memory(err);
    if (code == RDV_OK) {
        begin_chunk(&p.htmls);
        begin_chunk(&p.texts);
        code = write_chunks(&p);
    }
    if (code == RDV_OK)
        code = write_index(&p);
    release(&p);
    return code;
}

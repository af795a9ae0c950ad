/* SPDX-License-Identifier: Apache-2.0 */
/* The chains of a large report as data: an index, and chunks of some dozens of chains, compressed,
 * that the script unpacks when they are looked at or searched. */
#include "report/html_parts.h"

#include "base/str.h"
#include "report/html_text.h"

#include <nettle/base64.h>
#include <zlib.h>

#define CHUNK_CHAINS 64
#define CHUNK_BYTES ((size_t)256 << 10)
#define LEVEL 6 /* of compression */

/* Marks what follows in a chunk: the head of a question, or a chain. No text of a record has these
 * bytes in a report. */
#define HEAD_BEGINS "\x1e"
#define CHAIN_BEGINS "\x1f"

typedef struct packer {
    rdv_html *html;
    const rdv_html_sink *sink;
    rdv_error *err;
    rdv_arena *arena; /* of the open chunk */
    rdv_buf html_part, text_part;
    size_t n;        /* chains in the open chunk */
    size_t question; /* whose head was written last in the chunk; SIZE_MAX: none */
    size_t written;  /* chains in finished chunks */
    size_t *firsts;  /* the first chain of each chunk, in the report's arena */
    size_t n_firsts, cap_firsts;
} packer;

/* ---- chunks ---------------------------------------------------------------------------------- */

static int compress_part(const packer *p, rdv_str bytes, rdv_str *out)
{
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return rdv_no_memory(p->err);
    size_t room = deflateBound(&z, bytes.len);
    char *to = room <= UINT32_MAX ? rdv_alloc(p->arena, room) : NULL;
    z.next_in = (Bytef *)(uintptr_t)bytes.p;
    z.avail_in = (uInt)bytes.len;
    z.next_out = (Bytef *)to;
    z.avail_out = (uInt)room;
    int code = to ? deflate(&z, Z_FINISH) : Z_MEM_ERROR;
    deflateEnd(&z);
    *out = (rdv_str){to, room - z.avail_out};
    return code == Z_STREAM_END ? RDV_OK : rdv_no_memory(p->err);
}

static int put(const packer *p, rdv_str bytes)
{
    return p->sink->write(p->sink->payload, bytes, p->err);
}

static int write_part(const packer *p, rdv_str open, const rdv_buf *part)
{
    rdv_str packed;
    if (!rdv_buf_ok(part))
        return rdv_no_memory(p->err);
    int code = compress_part(p, (rdv_str){part->p ? part->p : "", part->len}, &packed);
    size_t size = code == RDV_OK ? BASE64_ENCODE_RAW_LENGTH(packed.len) : 0;
    char *text = size ? rdv_alloc(p->arena, size) : NULL;
    if (code != RDV_OK || !text)
        return code != RDV_OK ? code : rdv_no_memory(p->err);
    base64_encode_raw(text, packed.len, (const uint8_t *)packed.p);
    code = put(p, open);
    if (code == RDV_OK)
        code = put(p, (rdv_str){text, size});
    return code == RDV_OK ? put(p, RDV_STR("</script>\n")) : code;
}

static void begin_chunk(packer *p)
{
    rdv_arena_reset(p->arena);
    rdv_buf_init(&p->html_part, p->arena, 0);
    rdv_buf_init(&p->text_part, p->arena, 0);
    p->n = 0;
    p->question = SIZE_MAX;
}

static int end_chunk(packer *p)
{
    int code = RDV_OK;
    if (p->n) {
        if (!RDV_PUSH_ROOM(p->html->arena, p->firsts, p->n_firsts, p->cap_firsts))
            return rdv_no_memory(p->err);
        p->firsts[p->n_firsts++] = p->written;
        p->written += p->n;
        code = write_part(p, RDV_STR("<script type=\"text/plain\" class=\"packed-html\">"),
                          &p->html_part);
        if (code == RDV_OK)
            code = write_part(p, RDV_STR("<script type=\"text/plain\" class=\"packed-text\">"),
                              &p->text_part);
    }
    begin_chunk(p);
    return code;
}

static bool is_full(const packer *p)
{
    return p->n >= CHUNK_CHAINS || p->html_part.len >= CHUNK_BYTES;
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

static int add_chain(packer *p, size_t question, const html_entry *e)
{
    const html_question *q = &p->html->questions[question];
    rdv_str anchor;
    int code = RDV_OK;
    rdv_arena_reset(p->html->scratch);
    if (p->question != question) {
        rdv_buf_lit(&p->html_part, HEAD_BEGINS);
        code = add_piece(p, q->head.at, q->head.size, &p->html_part);
        if (code == RDV_OK)
            code = add_piece(p, q->result.at, q->result.size, &p->html_part);
    }
    p->question = question;
    if (code == RDV_OK)
        code =
            html_read(p->html, (html_piece){e->at, e->anchor}, p->html->scratch, &anchor, p->err);
    if (code != RDV_OK)
        return code;
    rdv_buf_lit(&p->html_part, CHAIN_BEGINS);
    html_article_open(&p->html_part, e, anchor, question);
    code = add_piece(p, e->at + e->anchor, e->html, &p->html_part);
    rdv_buf_lit(&p->html_part, "</article>");
    if (code == RDV_OK)
        code = add_piece(p, e->at + e->anchor + e->html, e->text, &p->text_part);
    rdv_buf_lit(&p->text_part, "\n");
    p->n++;
    return code == RDV_OK && is_full(p) ? end_chunk(p) : code;
}

static int write_chunks(packer *p)
{
    int code = RDV_OK;
    for (size_t i = 0; i < p->html->n_questions && code == RDV_OK; i++) {
        uint32_t e = p->html->questions[i].first;
        for (; e != HTML_NONE && code == RDV_OK; e = p->html->entries[e].next)
            code = add_chain(p, i, &p->html->entries[e]);
    }
    return code == RDV_OK ? end_chunk(p) : code;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* Write what a list of the index says of each chain, in the order of the document. */
static int write_list(packer *p, const char *name,
                      void (*item)(packer *, size_t, const html_entry *))
{
    int code = RDV_OK;
    rdv_buf *b = &p->text_part;
    rdv_arena_reset(p->arena);
    rdv_buf_init(b, p->arena, 0);
    rdv_buf_printf(b, ",\n\"%s\":[", name);
    for (size_t i = 0, n = 0; i < p->html->n_questions && code == RDV_OK; i++) {
        uint32_t e = p->html->questions[i].first;
        for (; e != HTML_NONE && code == RDV_OK; e = p->html->entries[e].next, n++) {
            if (n)
                rdv_buf_lit(b, ",");
            item(p, i, &p->html->entries[e]);
            if (b->len < CHUNK_BYTES)
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
        p->text_part.failed = true;
        return;
    }
    rdv_buf_printf(&p->text_part, "\"%.*s\"", RDV_FMT(anchor));
}

static void put_flags(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->text_part, "%d", e->flags);
}

static void put_dataset(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->text_part, "%d", e->dataset);
}

static void put_method(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->text_part, "%d", e->method);
}

static void put_question(packer *p, size_t question, const html_entry *e)
{
    rdv_buf_printf(&p->text_part, "%zu", question);
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
    rdv_arena_reset(p->html->scratch);
    rdv_buf b;
    rdv_buf_init(&b, p->html->scratch, 0);
    rdv_buf_lit(&b, "<script type=\"application/json\" id=\"index\">{\"chunks\":[");
    for (size_t i = 0; i < p->n_firsts; i++)
        rdv_buf_printf(&b, i ? ",%zu" : "%zu", p->firsts[i]);
    rdv_buf_lit(&b, "]");
    int code = rdv_buf_ok(&b) ? put(p, rdv_buf_str(&b)) : rdv_no_memory(p->err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists && code == RDV_OK; i++)
        code = write_list(p, lists[i].name, lists[i].item);
    return code == RDV_OK ? put(p, RDV_STR("}</script>\n")) : code;
}

int html_pack(rdv_html *html, const rdv_html_sink *sink, rdv_error *err)
{
    packer p = {.html = html, .sink = sink, .err = err, .arena = rdv_arena_new(0)};
    if (!p.arena)
        return rdv_no_memory(err);
    begin_chunk(&p);
    int code = write_chunks(&p);
    if (code == RDV_OK)
        code = write_index(&p);
    rdv_arena_free(&p.arena);
    return code;
}

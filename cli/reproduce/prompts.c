/* SPDX-License-Identifier: Apache-2.0 */
/* Whose prompts a result is from. */
#include "prompts.h"
#include "text_files.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define OTHERS                                                                                     \
    "Prompts: other prompts than the authors', in words and with examples of our own; "            \
    "docs/mistakes.md says how theirs are taken (--prompt-dir).\n"

/* What the head of a prompt file says of its source. */
static rdv_str source_of(rdv_str text)
{
    static const rdv_str mark = RDV_STR("\nsource: ");
    size_t at = rdv_find(text, mark, 0);
    if (at == RDV_NOT_FOUND)
        return RDV_STR("a source that it does not state");
    return rdv_slice(text, at + mark.len, rdv_find_char(text, '\n', at + mark.len));
}

int reproduce_prompts(const struct settings *s, const char *recipe, rdv_arena *arena, rdv_str *out,
                      rdv_error *err)
{
    rdv_prompt_text *texts;
    size_t n;
    rdv_buf b;
    *out = rdv_starts(rdv_str_of(recipe), RDV_STR("mistakes:")) ? RDV_STR(OTHERS) : RDV_STR("");
    if (!s->prompt_dir)
        return RDV_OK;
    int code = prompts_read(s->prompt_dir, NULL, arena, &texts, &n, err);
    if (code != RDV_OK)
        return code;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "Prompts: %zu of --prompt-dir %s", n, s->prompt_dir);
    for (size_t i = 0; i < n; i++) {
        size_t before = 0;
        while (before < i && !rdv_str_eq(source_of(texts[before].text), source_of(texts[i].text)))
            before++;
        if (before == i)
            rdv_buf_printf(&b, "%s%.*s", i ? "; " : ", from: ", RDV_FMT(source_of(texts[i].text)));
    }
    rdv_buf_lit(&b, ". All others are Rederive's.\n");
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : rdv_no_memory(err);
}

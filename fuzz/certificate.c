/* SPDX-License-Identifier: Apache-2.0 */
/* Any question and any steps to the certificate. NUL bytes cut the input: the first piece is the
 * question, the second the answer, the others are the steps. */
#include "base/str.h"
#include "method/certificate.h"

#include <rederive/method.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_STEPS 64

static void require(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rdv_str text = {(const char *)data, size}, pieces[MAX_STEPS + 2];
    size_t n = 0, begin = 0, end = 0;
    for (; end != RDV_NOT_FOUND && n < MAX_STEPS + 2; begin = end + 1) {
        end = rdv_find_char(text, '\0', begin);
        pieces[n++] = rdv_slice(text, begin, end);
    }
    rdv_chain chain = {
        .question = {.text = pieces[0]}, .steps = pieces + 2, .n_steps = n > 2 ? n - 2 : 0};
    rdv_check_options options = {0};
    rdv_check check;
    certificate made;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_check_options_default(&options, sizeof options);
    require(arena && rdv_check_chain(rdv_method_named(RDV_STR("calculations")), &chain, &options,
                                     arena, &check, NULL) == RDV_OK);
    require(certificate_of(&chain, &check, &(rdv_check_options){0},
                           n > 1 ? pieces[1] : (rdv_str){0}, arena, &made, NULL) == RDV_OK);
    require(made.certified == (made.n_gaps == 0));
    for (size_t i = 0; i < check.n_verdicts && made.certified; i++)
        require(check.verdicts[i].kind == RDV_SUPPORT || check.verdicts[i].kind == RDV_UNRELATED);
    rdv_arena_free(&arena);
    return 0;
}

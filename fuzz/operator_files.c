/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `rederive serve --keys` and `--policy`: they are read, or refused with a reason; a
 * rule that is read can be kept. The first byte chooses the file. */
#include "base/str.h"
#include "server/key_file.h"
#include "server/policy.h"

#include <stdlib.h>

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_rule(const access_rule *r)
{
    require(!r->judging.refuses || r->judging.mode == JUDGE_WHOLE);
    require(r->judging.threshold >= 0 && r->judging.threshold <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char hash[ACCESS_HASH_BYTES];
    rdv_error err = {0};
    access_list *a = size ? access_new() : NULL;
    if (!a)
        return 0;
    rdv_str text = {(const char *)data + 1, size - 1};
    bool keys = data[0] & 1;
    require(keys || access_add(a, RDV_STR("one"), hash, &err) == RDV_OK);
    int rc = keys ? key_file_read(text, a, &err) : policy_read(text, a, &err);
    require(rc == RDV_OK || err.msg[0]);
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++) {
        require(access_named(a, a->keys[i].name) == &a->keys[i]);
        check_rule(&a->keys[i].rule);
    }
    access_release(&a);
    return 0;
}

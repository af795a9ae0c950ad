/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `rederive serve --keys` and `--policy`: they are read, or refused with a reason; a
 * rule that is read can be kept. The first byte chooses the file. */
#include "base/str.h"
#include "server/key_file.h"
#include "server/policy.h"
#include "server/price_file.h"

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
    require(r->limits.day.tokens <= (uint64_t)1e15 && r->limits.day.cost <= 1000000 * USAGE_DOLLAR);
}

static void check_prices(rdv_str text)
{
    rdv_error err = {0};
    serve_model models[] = {{.name = RDV_STR("a")}, {.name = RDV_STR("b")}};
    int rc = price_file_read(text, models, 2, &err);
    require(rc == RDV_OK || err.msg[0]);
    for (size_t i = 0; i < 2; i++)
        require(models[i].price_in <= USAGE_DOLLAR && models[i].price_out <= USAGE_DOLLAR);
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
    if (data[0] & 2)
        check_prices(text);
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

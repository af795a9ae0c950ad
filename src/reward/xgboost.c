/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/xgboost.h"

#include <dlfcn.h>

static int find(void *library, const char *file, const char *name, void *function, rdv_error *err)
{
    *(void **)function = dlsym(library, name);
    return *(void **)function ? RDV_OK
                              : rdv_fail(err, RDV_E_IO, "%s has no function %s", file, name);
}

int xgboost_open(xgboost *out, const char *const *files, rdv_error *err)
{
    void *library = NULL;
    const char *file = *files;
    for (; *files && !library; files++)
        library = dlopen(file = *files, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return rdv_fail(
            err, RDV_E_IO,
            "training needs XGBoost's library, which cannot be opened (Debian's package "
            "libxgboost0): %.200s",
            dlerror());
    int r = RDV_OK;
#define XGBOOST_FIND(name)                                                                         \
    if (r == RDV_OK)                                                                               \
        r = find(library, file, #name, &out->name, err);
    XGBOOST_FUNCTIONS(XGBOOST_FIND)
#undef XGBOOST_FIND
    dlclose(library); /* RTLD_NODELETE: only the count of openings goes down */
    return r;
}

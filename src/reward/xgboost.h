/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The functions of libxgboost that training needs. The library is opened when the first model is
 * trained, so that who only judges, checks or votes does not load it. */
#include <rederive/base.h>
#include <xgboost/c_api.h>

#define XGBOOST_FUNCTIONS(X)                                                                       \
    X(XGBGetLastError)                                                                             \
    X(XGDMatrixCreateFromMat)                                                                      \
    X(XGDMatrixSetFloatInfo)                                                                       \
    X(XGDMatrixFree)                                                                               \
    X(XGBoosterCreate)                                                                             \
    X(XGBoosterSetParam)                                                                           \
    X(XGBoosterUpdateOneIter)                                                                      \
    X(XGBoosterDumpModelEx)                                                                        \
    X(XGBoosterPredict)                                                                            \
    X(XGBoosterFree)

/* Its functions under their own names: xgb->XGBoosterCreate(...). */
typedef struct xgboost {
#define XGBOOST_MEMBER(name) __typeof__(&name) name;
    XGBOOST_FUNCTIONS(XGBOOST_MEMBER)
#undef XGBOOST_MEMBER
} xgboost;

/* The names that the library's file has: Debian's, and that of its own build. */
#define XGBOOST_FILES ((const char *const[]){"libxgboost.so.0", "libxgboost.so", NULL})

/* Open the first of `files` (NULL-terminated) that is there, and find the functions. *out stays
 * valid until the process ends: the library keeps threads, so it is never unloaded. Faults:
 * RDV_E_IO: there is no such file, or it lacks a function; *out is then undefined. */
int xgboost_open(xgboost *out, const char *const *files, rdv_error *err);

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The functions of libxgboost that training needs. The library is opened when the first model is
 * trained, so that who only judges, checks or votes does not load it. */
#include <rederive/base.h>

#include <stdint.h>

/* Declared here as its header xgboost/c_api.h does, so that building needs no XGBoost; a test
 * compares them with the header where it is installed. */
typedef uint64_t bst_ulong;
typedef void *DMatrixHandle, *BoosterHandle;

/* The functions under their own names: xgb->XGBoosterCreate(...). */
typedef struct xgboost {
    const char *(*XGBGetLastError)(void);
    int (*XGDMatrixCreateFromMat)(const float *data, bst_ulong rows, bst_ulong columns,
                                  float missing, DMatrixHandle *out);
    int (*XGDMatrixSetFloatInfo)(DMatrixHandle matrix, const char *field, const float *values,
                                 bst_ulong n);
    int (*XGDMatrixFree)(DMatrixHandle matrix);
    int (*XGBoosterCreate)(const DMatrixHandle matrices[], bst_ulong n, BoosterHandle *out);
    int (*XGBoosterSetParam)(BoosterHandle booster, const char *name, const char *value);
    int (*XGBoosterUpdateOneIter)(BoosterHandle booster, int iteration, DMatrixHandle matrix);
    int (*XGBoosterDumpModelEx)(BoosterHandle booster, const char *features, int statistics,
                                const char *format, bst_ulong *n, const char ***out);
    int (*XGBoosterPredict)(BoosterHandle booster, DMatrixHandle matrix, int options,
                            unsigned trees, int training, bst_ulong *n, const float **out);
    int (*XGBoosterFree)(BoosterHandle booster);
} xgboost;

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

/* The names that the library's file has: Debian's, and that of its own build. */
#define XGBOOST_FILES ((const char *const[]){"libxgboost.so.0", "libxgboost.so", NULL})

/* Open the first of `files` (NULL-terminated) that is there, and find the functions. *out stays
 * valid until the process ends: the library keeps threads, so it is never unloaded. Faults:
 * RDV_E_IO: there is no such file, or it lacks a function; *out is then undefined. */
int xgboost_open(xgboost *out, const char *const *files, rdv_error *err);

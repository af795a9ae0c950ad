/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/boost.h"

#include "base/arena.h"

#include "reward/xgboost.h"

#include <math.h>
#include <stdlib.h>

#define MAX_DEPTH 12

typedef struct growing {
    xgboost library;
    const boost_options *options;
    rdv_arena *arena;
    size_t column[N_FEATURES]; /* of the library's columns: our feature */
    size_t n_columns;
    DMatrixHandle matrix;
    BoosterHandle booster;
    rdv_error *err;
} growing;

static int failed(growing *g)
{
    return rdv_fail(g->err, RDV_E_INTERNAL, "libxgboost: %.300s", g->library.XGBGetLastError());
}

static int out_of_memory(growing *g)
{
    return rdv_no_memory(g->err);
}

/* ---- the rows -------------------------------------------------------------------------------- */

static int make_matrix(growing *g, const float *rows, const bool *wrong, size_t n)
{
    float *data = rdv_calloc(g->arena, n, g->n_columns * sizeof *data);
    float *labels = RDV_NEW_ARRAY(g->arena, float, n);
    if (!data || !labels)
        return out_of_memory(g);
    for (size_t i = 0; i < n; i++) {
        labels[i] = wrong[i];
        for (size_t k = 0; k < g->n_columns; k++)
            data[i * g->n_columns + k] = rows[i * N_FEATURES + g->column[k]];
    }
    if (g->library.XGDMatrixCreateFromMat(data, n, g->n_columns, NAN, &g->matrix) != 0 ||
        g->library.XGDMatrixSetFloatInfo(g->matrix, "label", labels, n) != 0)
        return failed(g);
    return RDV_OK;
}

/* ---- settings -------------------------------------------------------------------------------- */

/* More of what broke never makes a step more likely to be right. This holds on tasks that were not
 * trained on, where a tree would else take chance for a rule. */
static bool never_helps(size_t feature)
{
    return reward_feature_kind(feature) != FEATURE_PLAIN;
}

static int set(growing *g, const char *name, const char *value)
{
    return g->library.XGBoosterSetParam(g->booster, name, value) == 0 ? RDV_OK : failed(g);
}

static int set_number(growing *g, const char *name, uint64_t value)
{
    rdv_str text = rdv_str_printf(g->arena, "%llu", (unsigned long long)value);
    return text.p ? set(g, name, text.p) : out_of_memory(g);
}

static int set_constraints(growing *g)
{
    rdv_buf b;
    rdv_buf_init(&b, g->arena, 0);
    for (size_t k = 0; k < g->n_columns; k++)
        rdv_buf_printf(&b, "%c%d", k ? ',' : '(', never_helps(g->column[k]));
    rdv_buf_add(&b, (rdv_str){")\0", 2});
    return rdv_buf_ok(&b) ? set(g, "monotone_constraints", b.p) : out_of_memory(g);
}

static int make_booster(growing *g)
{
    static const char *const fixed[][2] = {
        {"objective", "binary:logistic"},
        {"base_score", "0.5"},
        {"tree_method", "hist"},
        {"eta", "0.06"},
        {"subsample", "0.7"},
        {"colsample_bytree", "0.4"},
        {"min_child_weight", "10"},
        {"lambda", "2"},
        {"nthread", "1"},
        {"verbosity", "0"},
    };
    if (g->library.XGBoosterCreate(&g->matrix, 1, &g->booster) != 0)
        return failed(g);
    int r = RDV_OK;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && r == RDV_OK; i++)
        r = set(g, fixed[i][0], fixed[i][1]);
    size_t depth = g->options->depth < MAX_DEPTH ? g->options->depth : MAX_DEPTH;
    if (r == RDV_OK)
        r = set_number(g, "max_depth", depth);
    if (r == RDV_OK)
        r = set_number(g, "seed", g->options->seed & 0x7fffffff);
    return r == RDV_OK ? set_constraints(g) : r;
}

/* ---- the library's trees into ours ----------------------------------------------------------- */

/* One line of the library's dump: "3:[f12<0.5] yes=7,no=8,missing=7,gain=1.5,cover=10" or
 * "7:leaf=-0.1,cover=3". */
typedef struct dumped {
    bool leaf;
    unsigned column, yes, no, missing;
    float at, gain, cover;
} dumped;

static float number_after(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    return at ? strtof(at + strlen(name), NULL) : NAN;
}

static bool read_line(const char *line, size_t n, dumped *nodes)
{
    char *end;
    unsigned long id = strtoul(line, &end, 10);
    if (id >= n || *end != ':')
        return false;
    dumped *d = &nodes[id];
    d->cover = number_after(end, "cover=");
    if (strncmp(end, ":leaf=", 6) == 0) {
        d->leaf = true;
        d->at = strtof(end + 6, NULL);
        return isfinite(d->at);
    }
    if (strncmp(end, ":[f", 3) != 0)
        return false;
    d->column = (unsigned)strtoul(end + 3, &end, 10);
    d->at = *end == '<' ? strtof(end + 1, &end) : NAN;
    d->gain = number_after(end, "gain=");
    d->yes = (unsigned)number_after(end, "yes=");
    d->no = (unsigned)number_after(end, "no=");
    d->missing = (unsigned)number_after(end, "missing=");
    return d->yes < n && d->no < n && d->yes > id && d->no > id && isfinite(d->at);
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* The mean that the training rows got from each node on, by their cover, from the leaves up. */
static void set_means(const dumped *from, size_t n, float *mean)
{
    for (size_t i = n; i-- > 0;) {
        const dumped *d = &from[i];
        if (d->leaf) {
            mean[i] = d->at;
            continue;
        }
        float a = from[d->yes].cover, b = from[d->no].cover;
        mean[i] = a + b > 0 ? (a * mean[d->yes] + b * mean[d->no]) / (a + b)
                            : (mean[d->yes] + mean[d->no]) / 2;
    }
}

/* Put one tree after f->nodes, breadth first, so that siblings are neighbours. */
static void put_tree(growing *g, const dumped *from, const float *mean, size_t n, unsigned *queue,
                     forest *f, double *gains)
{
    size_t first = f->n_nodes, end = 1;
    queue[0] = 0;
    f->roots[f->n_trees++] = (uint32_t)first;
    for (size_t i = 0; i < end; i++) {
        const dumped *d = &from[queue[i]];
        node *to = &f->nodes[f->n_nodes++];
        *to = (node){.at = d->at, .mean = mean[queue[i]], .feature = NO_FEATURE};
        if (d->leaf || end + 2 > n)
            continue;
        to->feature = (uint16_t)g->column[d->column];
        to->left = (uint32_t)(first + end);
        to->missing_left = d->missing == d->yes;
        gains[to->feature] += isfinite(d->gain) ? d->gain : 0;
        queue[end++] = d->yes;
        queue[end++] = d->no;
    }
}

static int take_tree(growing *g, const char *text, forest *f, double *gains)
{
    size_t n = count_lines(text);
    dumped *nodes = RDV_NEW_ARRAY(g->arena, dumped, n);
    float *mean = RDV_NEW_ARRAY(g->arena, float, n);
    unsigned *queue = RDV_NEW_ARRAY(g->arena, unsigned, n + 2);
    if (!nodes || !mean || !queue)
        return out_of_memory(g);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        line += strspn(line, "\t");
        if (!strchr(line, '\n') || !read_line(line, n, nodes))
            return rdv_fail(g->err, RDV_E_INTERNAL, "libxgboost dumped a tree that cannot be read");
    }
    for (size_t i = 0; i < n; i++)
        if (!nodes[i].leaf && nodes[i].column >= g->n_columns)
            return rdv_fail(g->err, RDV_E_INTERNAL, "libxgboost splits on an unknown column");
    set_means(nodes, n, mean);
    put_tree(g, nodes, mean, n, queue, f, gains);
    return RDV_OK;
}

static int take_forest(growing *g, forest *out, double *gains)
{
    bst_ulong n_trees;
    const char **dump;
    size_t nodes = 0;
    if (g->library.XGBoosterDumpModelEx(g->booster, "", 1, "text", &n_trees, &dump) != 0)
        return failed(g);
    for (size_t i = 0; i < n_trees; i++)
        nodes += count_lines(dump[i]);
    *out = (forest){.nodes = RDV_NEW_ARRAY(g->arena, node, nodes),
                    .roots = RDV_NEW_ARRAY(g->arena, uint32_t, n_trees)};
    int r = out->nodes && out->roots ? RDV_OK : out_of_memory(g);
    for (size_t i = 0; i < n_trees && r == RDV_OK; i++)
        r = take_tree(g, dump[i], out, gains);
    return r;
}

/* ---- agreement ------------------------------------------------------------------------------- */

#define MAX_DIFFERENCE 1e-6f

/* Our walk over the trees must give what the library's own predictor gives, on every row. */
static int compare(growing *g, const forest *f, const float *rows, size_t n)
{
    const float *theirs;
    bst_ulong got;
    if (g->library.XGBoosterPredict(g->booster, g->matrix, 1, 0, 0, &got, &theirs) != 0)
        return failed(g);
    for (size_t i = 0; i < n && i < got; i++) {
        float ours = forest_margin(f, rows + i * N_FEATURES);
        if (!(fabsf(ours - theirs[i]) <= MAX_DIFFERENCE))
            return rdv_fail(g->err, RDV_E_INTERNAL,
                            "row %zu: libxgboost predicts %.9g, its trees as read here %.9g", i,
                            (double)theirs[i], (double)ours);
    }
    return RDV_OK;
}

static int grow(growing *g, const float *rows, const bool *wrong, size_t n, forest *out,
                double *gains)
{
    int r = make_matrix(g, rows, wrong, n);
    if (r == RDV_OK)
        r = make_booster(g);
    for (size_t i = 0; i < g->options->trees && r == RDV_OK; i++)
        if (g->library.XGBoosterUpdateOneIter(g->booster, (int)i, g->matrix) != 0)
            r = failed(g);
    if (r == RDV_OK)
        r = take_forest(g, out, gains);
    return r == RDV_OK ? compare(g, out, rows, n) : r;
}

int boost_grow(const float *rows, const bool *wrong, size_t n, const boost_options *options,
               rdv_arena *arena, forest *out, double *gains, rdv_error *err)
{
    growing g = {.options = options, .arena = arena, .err = err};
    for (size_t i = 0; i < N_FEATURES; i++)
        if (options->use[i])
            g.column[g.n_columns++] = i;
    int r = xgboost_open(&g.library, XGBOOST_FILES, err);
    if (r == RDV_OK)
        r = grow(&g, rows, wrong, n, out, gains);
    if (g.booster)
        g.library.XGBoosterFree(g.booster);
    if (g.matrix)
        g.library.XGDMatrixFree(g.matrix);
    return r;
}

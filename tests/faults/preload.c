/* SPDX-License-Identifier: Apache-2.0 */
/* Makes one call fail. faults.py preloads this library into the program.
 *
 * RDV_FAULT=NAME:K:HOW:CODE   the K-th call (from 0) of NAME fails. HOW: "once"; "on", it and all
 *                             later ones; "short", it reads or writes one byte. CODE: the errno of
 *                             a system call, the result of a function; for one that returns a
 *                             pointer, which is NULL then, it is not used.
 * RDV_FAULT=NAME@PLACE:K:...  the K-th of the calls of NAME from this place. A place is the stack
 *                             of a call: a hash of all return addresses, each as a position in
 *                             its library.
 * RDV_FAULT_LOG=FILE          gets the line "hit" when a call is made to fail, and a line
 *                             "at OFFSET LIBRARY" for each return address on its stack. Without a
 *                             fault it gets, at the end of the process, a line "NAME@PLACE COUNT"
 *                             for each place.
 *
 * The clocks that tell how much time has passed go HASTE times faster, and waits are as much
 * shorter: a server that is lost is tried for seconds, not for half a minute.
 *
 * Functions of libraries are wrapped. System calls are caught by a seccomp filter, which sends
 * SIGSYS for those that the C library makes: so the calls of its streams, of
 * SQLite, of libcurl and of libuv are seen, and those of a sanitizer are not. Calls that write to
 * standard error are left alone, for what is said there is to be seen. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <uv.h>
#include <zlib.h>
#include <zstd.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_PLACES 65536  /* a power of 2 */
#define MAX_LIBRARIES 128 /* of which the program is one */
#define HASTE 10
#define UNPLACED 125 /* exit status: the C library lies across 4 GiB, or there is no seccomp */

/* ---- counting and choosing ------------------------------------------------------------------- */

enum fault { NONE, FAIL, SHORT };

static struct {
    char name[64];
    uint64_t place; /* 0: any */
    unsigned long k;
    enum fault kind;
    int on;
    long code;
    int log;
} plan = {.log = -1};

static int is_counting;
static atomic_ulong calls_of_plan; /* of its name, or from its place */

static struct {
    _Atomic uint64_t place; /* 0: free */
    const char *_Atomic name;
    atomic_ulong calls;
} places[MAX_PLACES];

/* By an instruction of this library, which the filter lets pass. */
static long system_call(long n, const greg_t *with)
{
    register long r10 __asm__("r10") = with[REG_R10];
    register long r8 __asm__("r8") = with[REG_R8];
    register long r9 __asm__("r9") = with[REG_R9];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(with[REG_RDI]), "S"(with[REG_RSI]), "d"(with[REG_RDX]), "r"(r10),
                       "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static void tell(const char *text)
{
    greg_t with[NGREG] = {0};
    with[REG_RDI] = plan.log;
    with[REG_RSI] = (greg_t)(intptr_t)text;
    with[REG_RDX] = (greg_t)strlen(text);
    if (plan.log >= 0)
        system_call(SYS_write, with);
}

/* ---- places ---------------------------------------------------------------------------------- */

static struct {
    uintptr_t from, to;
    uintptr_t base;
    const char *path; /* of the program "" */
} libraries[MAX_LIBRARIES];
static size_t n_libraries;

static int note_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    for (int i = 0; i < info->dlpi_phnum && n_libraries < MAX_LIBRARIES; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        libraries[n_libraries].from = info->dlpi_addr + part->p_vaddr;
        libraries[n_libraries].to = libraries[n_libraries].from + part->p_memsz;
        libraries[n_libraries].base = info->dlpi_addr;
        libraries[n_libraries].path = info->dlpi_name;
        n_libraries++;
    }
    return 0;
}

/* The index of the library of an instruction; n_libraries: none, or this one, in which counting
 * calls and making one fail take different ways. */
static size_t library_of(uintptr_t at)
{
    for (size_t i = 0; i < n_libraries; i++)
        if (at >= libraries[i].from && at < libraries[i].to)
            return strstr(libraries[i].path, "/libpreload.so") ? n_libraries : i;
    return n_libraries;
}

static uint64_t mix(uint64_t hash, uint64_t with)
{
    hash = (hash ^ with) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *frame, void *hash)
{
    uintptr_t at = _Unwind_GetIP(frame);
    size_t i = library_of(at);
    if (i < n_libraries)
        *(uint64_t *)hash = mix(mix(*(uint64_t *)hash, i), at - libraries[i].base);
    return _URC_NO_REASON;
}

/* Never 0. */
static uint64_t place_of(const char *name)
{
    uint64_t hash = 1;
    for (const char *p = name; *p; p++)
        hash = mix(hash, (unsigned char)*p);
    _Unwind_Backtrace(add_frame, &hash);
    return hash ? hash : 1;
}

static void count_call(const char *name)
{
    uint64_t place = place_of(name);
    for (size_t i = place % MAX_PLACES, n = 0; n < MAX_PLACES; i = (i + 1) % MAX_PLACES, n++) {
        uint64_t is = 0;
        if (atomic_compare_exchange_strong(&places[i].place, &is, place) || is == place) {
            places[i].name = name;
            atomic_fetch_add(&places[i].calls, 1);
            return;
        }
    }
    abort();
}

static _Unwind_Reason_Code tell_frame(struct _Unwind_Context *frame, void *unused)
{
    char line[PATH_MAX + 32];
    uintptr_t at = _Unwind_GetIP(frame);
    size_t i = library_of(at);
    if (i < n_libraries) {
        snprintf(line, sizeof line, "at %#tx %s\n", at - libraries[i].base, libraries[i].path);
        tell(line);
    }
    return _URC_NO_REASON;
}

static int is_planned(const char *name)
{
    return strcmp(name, plan.name) == 0 && (!plan.place || place_of(name) == plan.place);
}

/* How the call of `name` that is made now is to fail. */
static enum fault next(const char *name)
{
    if (!plan.kind) {
        if (is_counting)
            count_call(name);
        return NONE;
    }
    if (plan.on && calls_of_plan > plan.k)
        return strcmp(name, plan.name) == 0 ? plan.kind : NONE;
    if (!is_planned(name) || atomic_fetch_add(&calls_of_plan, 1) != plan.k)
        return NONE;
    tell("hit\n");
    _Unwind_Backtrace(tell_frame, NULL);
    return plan.kind;
}

/* ---- functions of libraries ------------------------------------------------------------------ */

/* Find the function that is wrapped. */
#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (!real)                                                                                     \
        *(void **)&real = dlsym(RTLD_NEXT, #name);

/* The function returns this if it is to fail. */
#define WRAP(type, failed, name, parameters, arguments)                                            \
    EXPORT type name parameters                                                                    \
    {                                                                                              \
        REAL(name)                                                                                 \
        return next(#name) ? (type)(failed) : real arguments;                                      \
    }
#define WRAP_CODE(type, name, parameters, arguments)                                               \
    WRAP(type, plan.code, name, parameters, arguments)

WRAP_CODE(CURLcode, curl_global_init, (long flags), (flags))
WRAP(CURL *, NULL, curl_easy_init, (void), ())
WRAP(CURLM *, NULL, curl_multi_init, (void), ())
WRAP(struct curl_slist *, NULL, curl_slist_append, (struct curl_slist * list, const char *text),
     (list, text))
WRAP_CODE(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))
WRAP_CODE(CURLMcode, curl_multi_assign, (CURLM * multi, curl_socket_t s, void *of), (multi, s, of))
WRAP_CODE(CURLMcode, curl_multi_socket_action,
          (CURLM * multi, curl_socket_t s, int events, int *running), (multi, s, events, running))
WRAP_CODE(CURLHcode, curl_easy_header,
          (CURL * easy, const char *name, size_t index, unsigned origin, int request,
           struct curl_header **out),
          (easy, name, index, origin, request, out))

/* All their arguments are of the size of a pointer, or smaller. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
EXPORT CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...)
{
    REAL(curl_easy_setopt)
    va_list rest;
    va_start(rest, option);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return next("curl_easy_setopt") ? (CURLcode)plan.code : real(easy, option, argument);
}

EXPORT CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...)
{
    REAL(curl_easy_getinfo)
    va_list rest;
    va_start(rest, info);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return next("curl_easy_getinfo") ? (CURLcode)plan.code : real(easy, info, argument);
}

EXPORT CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...)
{
    REAL(curl_multi_setopt)
    va_list rest;
    va_start(rest, option);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return next("curl_multi_setopt") ? (CURLMcode)plan.code : real(multi, option, argument);
}

/* SQLite tells the code of the latest call too. What it calls itself is left alone: sqlite3_exec()
 * asks sqlite3_finalize() how a statement ended. */
static _Thread_local int sqlite_code, inside;

#define WRAP_SQLITE(name, parameters, arguments)                                                   \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        REAL(name)                                                                                 \
        if (inside)                                                                                \
            return real arguments;                                                                 \
        sqlite_code = next(#name) ? (int)plan.code : SQLITE_OK;                                    \
        if (sqlite_code)                                                                           \
            return sqlite_code;                                                                    \
        inside = 1;                                                                                \
        int code = real arguments;                                                                 \
        inside = 0;                                                                                \
        return code;                                                                               \
    }
WRAP_SQLITE(sqlite3_step, (sqlite3_stmt * s), (s))
WRAP_SQLITE(sqlite3_exec,
            (sqlite3 * db, const char *sql, int (*row)(void *, int, char **, char **), void *of,
             char **why),
            (db, sql, row, of, why))
WRAP_SQLITE(sqlite3_prepare_v2,
            (sqlite3 * db, const char *sql, int n, sqlite3_stmt **out, const char **tail),
            (db, sql, n, out, tail))
WRAP_SQLITE(sqlite3_prepare_v3,
            (sqlite3 * db, const char *sql, int n, unsigned flags, sqlite3_stmt **out,
             const char **tail),
            (db, sql, n, flags, out, tail))
WRAP_SQLITE(sqlite3_bind_blob,
            (sqlite3_stmt * s, int i, const void *p, int n, void (*release)(void *)),
            (s, i, p, n, release))
WRAP_SQLITE(sqlite3_bind_text64,
            (sqlite3_stmt * s, int i, const char *p, sqlite3_uint64 n, void (*release)(void *),
             unsigned char encoding),
            (s, i, p, n, release, encoding))
WRAP_SQLITE(sqlite3_bind_int64, (sqlite3_stmt * s, int i, sqlite3_int64 n), (s, i, n))
WRAP_SQLITE(sqlite3_bind_null, (sqlite3_stmt * s, int i), (s, i))
WRAP_SQLITE(sqlite3_create_function,
            (sqlite3 * db, const char *name, int n, int flags, void *of,
             void (*call)(sqlite3_context *, int, sqlite3_value **),
             void (*step)(sqlite3_context *, int, sqlite3_value **),
             void (*final)(sqlite3_context *)),
            (db, name, n, flags, of, call, step, final))
WRAP(const unsigned char *, NULL, sqlite3_column_text, (sqlite3_stmt * s, int i), (s, i))

/* A connection that could not be opened is there all the same, and is to be closed. */
EXPORT int sqlite3_open_v2(const char *path, sqlite3 **out, int flags, const char *vfs)
{
    REAL(sqlite3_open_v2)
    int code = real(path, out, flags, vfs);
    sqlite_code = next("sqlite3_open_v2") ? (int)plan.code : SQLITE_OK;
    return sqlite_code ? sqlite_code : code;
}

EXPORT int sqlite3_errcode(sqlite3 *db)
{
    REAL(sqlite3_errcode)
    return sqlite_code ? sqlite_code : real(db);
}

EXPORT const char *sqlite3_errmsg(sqlite3 *db)
{
    REAL(sqlite3_errmsg)
    return sqlite_code ? sqlite3_errstr(sqlite_code) : real(db);
}

WRAP_CODE(int, uv_loop_init, (uv_loop_t * loop), (loop))
WRAP_CODE(int, uv_async_init, (uv_loop_t * loop, uv_async_t *async, uv_async_cb call),
          (loop, async, call))
WRAP_CODE(int, uv_poll_init, (uv_loop_t * loop, uv_poll_t *poll, int fd), (loop, poll, fd))
WRAP_CODE(int, uv_poll_start, (uv_poll_t * poll, int events, uv_poll_cb call), (poll, events, call))
WRAP_CODE(int, uv_tcp_open, (uv_tcp_t * tcp, uv_os_sock_t s), (tcp, s))
WRAP_CODE(int, uv_tcp_nodelay, (uv_tcp_t * tcp, int on), (tcp, on))
WRAP_CODE(int, uv_listen, (uv_stream_t * stream, int backlog, uv_connection_cb call),
          (stream, backlog, call))
WRAP_CODE(int, uv_read_start, (uv_stream_t * stream, uv_alloc_cb room, uv_read_cb call),
          (stream, room, call))
WRAP_CODE(int, uv_try_write, (uv_stream_t * stream, const uv_buf_t buffers[], unsigned n),
          (stream, buffers, n))
WRAP_CODE(int, uv_write,
          (uv_write_t * request, uv_stream_t *stream, const uv_buf_t buffers[], unsigned n,
           uv_write_cb call),
          (request, stream, buffers, n, call))
WRAP_CODE(int, uv_fileno, (const uv_handle_t *handle, uv_os_fd_t *out), (handle, out))
WRAP_CODE(int, uv_mutex_init, (uv_mutex_t * mutex), (mutex))
WRAP_CODE(int, uv_cond_init, (uv_cond_t * cond), (cond))
WRAP_CODE(int, uv_thread_create, (uv_thread_t * thread, uv_thread_cb run, void *of),
          (thread, run, of))
WRAP_CODE(int, pthread_create,
          (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *of),
          (thread, attributes, run, of))
WRAP_CODE(int, inflateInit2_, (z_streamp z, int bits, const char *version, int size),
          (z, bits, version, size))
WRAP(ZSTD_DStream *, NULL, ZSTD_createDStream, (void), ())

/* A connection that was not accepted is closed; the handle that was to have it, by who asked. */
EXPORT int uv_accept(uv_stream_t *server, uv_stream_t *client)
{
    REAL(uv_accept)
    int code = real(server, client);
    return next("uv_accept") ? (int)plan.code : code;
}

/* Threads that take no signals take SIGSYS, as a blocked one ends the process. */
EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
    REAL(pthread_sigmask)
    sigset_t most;
    if (set) {
        most = *set;
        sigdelset(&most, SIGSYS);
    }
    return real(how, set ? &most : NULL, before);
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Those of these libraries, and the program's own but for malloc(), which is its arenas', for which
 * there are unit tests, and jansson's. GMP, FLINT and libuv end a process that has no memory,
 * jansson's lexer does not bear it, and a sanitizer has an allocator of its own. */
#ifndef SANITIZED
static const char *const allocating[] = {"libcurl", "libsqlite3", "libz", "libzstd", "libc.so"};
static struct {
    uintptr_t from, to;
    int of_program;
} ranges[16];
static size_t n_ranges;

static int note_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    int wanted = !info->dlpi_name[0];
    for (size_t i = 0; i < sizeof allocating / sizeof *allocating; i++)
        wanted |= strstr(info->dlpi_name, allocating[i]) != NULL;
    for (int i = 0; wanted && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) ||
            n_ranges == sizeof ranges / sizeof *ranges)
            continue;
        ranges[n_ranges].from = info->dlpi_addr + part->p_vaddr;
        ranges[n_ranges].to = ranges[n_ranges].from + part->p_memsz;
        ranges[n_ranges].of_program = !info->dlpi_name[0];
        n_ranges++;
    }
    return 0;
}

static int fails(const void *caller, int also_of_program)
{
    uintptr_t at = (uintptr_t)caller;
    for (size_t i = 0; i < n_ranges; i++)
        if (at >= ranges[i].from && at < ranges[i].to &&
            (also_of_program || !ranges[i].of_program) && next("malloc")) {
            errno = ENOMEM;
            return 1;
        }
    return 0;
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

EXPORT void *malloc(size_t size)
{
    return fails(__builtin_return_address(0), 0) ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0), 1) ? NULL : __libc_calloc(n, size);
}

EXPORT void *realloc(void *p, size_t size)
{
    return fails(__builtin_return_address(0), 1) ? NULL : __libc_realloc(p, size);
}
#endif

/* ---- time ------------------------------------------------------------------------------------ */

static const int64_t second = 1000 * 1000 * 1000;
static int64_t began[CLOCK_BOOTTIME + 1]; /* nanoseconds of each clock that is hastened */

static int64_t real_time(clockid_t clock)
{
    struct timespec t = {0, 0};
    greg_t with[NGREG] = {0};
    with[REG_RDI] = clock;
    with[REG_RSI] = (greg_t)(intptr_t)&t;
    system_call(SYS_clock_gettime, with);
    return t.tv_sec * second + t.tv_nsec;
}

static void note_times(void)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC_COARSE,
                                       CLOCK_BOOTTIME};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        began[clocks[i]] = real_time(clocks[i]);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
    int64_t time = real_time(clock);
    if (clock >= 0 && clock <= CLOCK_BOOTTIME && began[clock])
        time = began[clock] + HASTE * (time - began[clock]);
    out->tv_sec = time / second;
    out->tv_nsec = time % second;
    return 0;
}

/* A limit in milliseconds, of which none is below 0. */
static int hasten(int ms)
{
    return ms > 0 ? (ms - 1) / HASTE + 1 : ms;
}

/* ---- system calls ---------------------------------------------------------------------------- */

#define CALL(name)                                                                                 \
    {                                                                                              \
#name, SYS_##name                                                                          \
    }
static const struct {
    const char *name;
    int number;
} calls[] = {
    CALL(openat),     CALL(read),       CALL(write),         CALL(pread64),     CALL(pwrite64),
    CALL(writev),     CALL(fsync),      CALL(fdatasync),     CALL(ftruncate),   CALL(fallocate),
    CALL(rename),     CALL(renameat2),  CALL(unlink),        CALL(unlinkat),    CALL(mkdir),
    CALL(mmap),       CALL(close),      CALL(newfstatat),    CALL(fstat),       CALL(lseek),
    CALL(fcntl),      CALL(flock),      CALL(getdents64),    CALL(dup),         CALL(dup2),
    CALL(socket),     CALL(connect),    CALL(bind),          CALL(listen),      CALL(accept4),
    CALL(setsockopt), CALL(getsockopt), CALL(sendto),        CALL(recvfrom),    CALL(sendmsg),
    CALL(recvmsg),    CALL(poll),       CALL(epoll_create1), CALL(epoll_pwait), CALL(epoll_wait),
    CALL(eventfd2),   CALL(pipe2),      CALL(getrandom),     CALL(shutdown)};
#define N_CALLS (sizeof calls / sizeof *calls)

static const char *name_of(int number)
{
    for (size_t i = 0; i < N_CALLS; i++)
        if (calls[i].number == number)
            return calls[i].name;
    abort();
}

/* What the kernel says that a descriptor is: a path, "pipe:[N]", "anon_inode:[eventfd]". */
struct kind {
    char text[32]; /* its beginning */
};

static struct kind kind_of(greg_t fd)
{
    char path[48];
    struct kind kind = {""};
    greg_t with[NGREG] = {0};
    snprintf(path, sizeof path, "/proc/self/fd/%d", (int)fd);
    with[REG_RDI] = (greg_t)(intptr_t)path;
    with[REG_RSI] = (greg_t)(intptr_t)kind.text;
    with[REG_RDX] = sizeof kind.text - 1;
    system_call(SYS_readlink, with);
    return kind;
}

/* Whether it is libuv's event descriptor or its pipe: it ends the process if these fail. */
static int is_of_loop(greg_t fd)
{
    struct kind kind = kind_of(fd);
    return strcmp(kind.text, "anon_inode:[eventfd]") == 0 ||
           (fd > STDERR_FILENO && strncmp(kind.text, "pipe:", 5) == 0);
}

/* Whether it is a file that is written only, as the outputs are. */
static int is_output(greg_t fd)
{
    greg_t with[NGREG] = {0};
    with[REG_RDI] = fd;
    with[REG_RSI] = F_GETFL;
    long flags = system_call(SYS_fcntl, with);
    return flags >= 0 && (flags & O_ACCMODE) == O_WRONLY && kind_of(fd).text[0] == '/';
}

static enum fault next_call(int n, greg_t fd)
{
    int writes = n == SYS_write || n == SYS_writev;
    if ((writes && fd == STDERR_FILENO) || ((writes || n == SYS_read) && is_of_loop(fd)))
        return NONE;
    return next(n == SYS_close && is_output(fd) ? "close_output" : name_of(n));
}

static void on_system_call(int signal, siginfo_t *info, void *of)
{
    greg_t *with = ((ucontext_t *)of)->uc_mcontext.gregs;
    int n = info->si_syscall;
    enum fault fault = next_call(n, with[REG_RDI]);
    if (fault == SHORT && with[REG_RDX] > 1)
        with[REG_RDX] = 1;
    if (n == SYS_poll)
        with[REG_RDX] = hasten((int)with[REG_RDX]);
    if (n == SYS_epoll_wait || n == SYS_epoll_pwait)
        with[REG_R10] = hasten((int)with[REG_R10]);
    long result = 0;
    if (fault != FAIL || n == SYS_close) /* a close that fails has closed */
        result = system_call(n, with);
    with[REG_RAX] = fault == FAIL ? -plan.code : result;
}

static int find_c_library(struct dl_phdr_info *info, size_t size, void *of)
{
    uintptr_t *range = of;
    if (!strstr(info->dlpi_name, "/libc.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
            range[0] = info->dlpi_addr + part->p_vaddr;
            range[1] = range[0] + part->p_memsz;
        }
    }
    return 1;
}

#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(at))
#define ADDRESS offsetof(struct seccomp_data, instruction_pointer) /* its lower half */

static int catch_system_calls(void)
{
    uintptr_t range[2] = {0, 0};
    dl_iterate_phdr(find_c_library, range);
    if (!range[0] || range[0] >> 32 != range[1] >> 32)
        return -1;
    const uint32_t from = (uint32_t)range[0], to = (uint32_t)range[1], high = range[0] >> 32;
    struct sock_filter filter[8 + 2 * N_CALLS] = {LOAD(ADDRESS + 4),
                                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 1, 0),
                                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                                  LOAD(ADDRESS),
                                                  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, from, 0, 1),
                                                  BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, to, 0, 1),
                                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
                                                  LOAD(offsetof(struct seccomp_data, nr))};
    size_t n = 8;
    for (size_t i = 0; i < N_CALLS; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                   (uint32_t)calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    struct sock_filter last = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_filter all[sizeof filter / sizeof *filter + 1];
    memcpy(all, filter, sizeof filter);
    all[n++] = last;
    struct sock_fprog program = {(unsigned short)n, all};
    struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0
               ? 0
               : -1;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* NAME:K:HOW:CODE or NAME@PLACE:K:HOW:CODE. 0: it is not so. */
static int read_plan(const char *text)
{
    char how[8];
    int n = 0;
    if (sscanf(text, "%63[^:@]%n", plan.name, &n) != 1 ||
        (text[n] == '@' && sscanf(text + n, "@%" SCNx64, &plan.place) != 1))
        return 0;
    text = strchr(text, ':');
    if (!text || sscanf(text, ":%lu:%7[^:]:%ld", &plan.k, how, &plan.code) != 3)
        return 0;
    plan.on = strcmp(how, "on") == 0;
    plan.kind = strcmp(how, "short") == 0 ? SHORT : FAIL;
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("RDV_FAULT_LOG"), *text = getenv("RDV_FAULT");
    if (log)
        plan.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    dl_iterate_phdr(note_library, NULL);
    note_times();
    if (catch_system_calls() != 0)
        _exit(UNPLACED);
#ifndef SANITIZED
    dl_iterate_phdr(note_range, NULL);
#endif
    if (text && !read_plan(text))
        _exit(2);
    is_counting = !text;
}

__attribute__((destructor)) static void end(void)
{
    char line[128];
    plan.kind = NONE;
    is_counting = 0;
    for (size_t i = 0; i < MAX_PLACES; i++) {
        if (!places[i].place)
            continue;
        snprintf(line, sizeof line, "%s@%016" PRIx64 " %lu\n", (const char *)places[i].name,
                 (uint64_t)places[i].place, (unsigned long)places[i].calls);
        tell(line);
    }
}

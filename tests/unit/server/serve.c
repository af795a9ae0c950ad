/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a server: how much time what is open is left. */
#include "../lm/tiny.h"
#include "server/serve.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#define GRACE 300 /* ms */
#define BUSY 1500 /* ms: more than the grace and the time to read a refusal */
#define GET "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define LAST_GET "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

/* `first` has sent a request before `second` does. */
typedef struct site {
    serve *server;
    int first, second;
    unsigned answered;
    uint64_t stopped; /* ms */
    uv_thread_t again;
} site;

static uint64_t now_ms(void)
{
    return uv_hrtime() / 1000000;
}

static void put(int to, const char *text)
{
    assert_int_equal(send(to, text, strlen(text), 0), strlen(text));
}

static int connect_to(const serve *server)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int client = socket(AF_INET, SOCK_STREAM, 0);
    unsigned port;
    assert_int_equal(sscanf(serve_url(server).p, "http://127.0.0.1:%u/", &port), 1);
    at.sin_port = htons((uint16_t)port);
    assert_int_equal(connect(client, (struct sockaddr *)&at, sizeof at), 0);
    return client;
}

/* Stop it once more while it ends: this takes nothing of the grace, nor adds to it. */
static void stop_again(void *of)
{
    site *s = of;
    uv_sleep(GRACE / 3);
    serve_stop(s->server);
}

/* While the second client's request is answered, the first client's next one and the stop arrive,
 * in this order. The loop learns of both at once, and the first client's takes long: the loop's
 * time is old when it stops. */
static void on_answered(void *of, const serve_line *line)
{
    site *s = of;
    (void)line;
    s->answered++;
    if (s->answered == 1)
        put(s->second, GET);
    if (s->answered == 2) {
        put(s->first, LAST_GET);
        serve_stop(s->server);
    }
    if (s->answered == 3) {
        uv_sleep(BUSY);
        s->stopped = now_ms();
        assert_int_equal(uv_thread_create(&s->again, stop_again, s), 0);
    }
}

/* The first client does not close its side, so the server waits for it as long as it may. */
static void test_serve__a_busy_loop_takes_nothing_of_the_grace(void **state)
{
    (void)state;
    rdv_error err = {0};
    rdv_str name = rdv_str_of("tiny");
    site s = {0};
    serve_options options;
    rdv_lm *lm = tiny_open("f32");
    serve_options_default(&options);
    options.listen = "127.0.0.1:0";
    options.lm = lm;
    options.names = &name;
    options.n_names = 1;
    options.models = &(serve_model){.name = name};
    options.n_models = 1;
    options.access = access_new();
    options.grace_ms = GRACE;
    options.log = on_answered;
    options.payload = &s;
    assert_int_equal(serve_new(&s.server, &options, &err), RDV_OK);
    s.first = connect_to(s.server);
    s.second = connect_to(s.server);
    put(s.first, GET);
    serve_run(s.server);
    assert_int_equal(s.answered, 3);
    assert_in_range(now_ms() - s.stopped, GRACE, 100 * GRACE);
    assert_int_equal(uv_thread_join(&s.again), 0);
    close(s.first);
    close(s.second);
    serve_free(&s.server);
    access_release(&options.access);
    rdv_lm_close(&lm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serve__a_busy_loop_takes_nothing_of_the_grace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

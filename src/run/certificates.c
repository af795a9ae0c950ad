/* SPDX-License-Identifier: Apache-2.0 */
/* Where the certificates of authorities are. A libcurl that was built elsewhere, as the one in the
 * Python package's wheel, looks where its own system has them. */
#include "run/http.h"

#include <unistd.h>

/* The bundles of the distributions, from those that Go's crypto/x509 looks for. */
static const char *const places[] = {
    "/etc/ssl/certs/ca-certificates.crt",                /* Debian, Ubuntu, Arch, Gentoo, Alpine */
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", /* Fedora, RHEL, CentOS */
    "/etc/pki/tls/certs/ca-bundle.crt",                  /* Fedora and RHEL before */
    "/etc/ssl/ca-bundle.pem",                            /* openSUSE, SLES */
    "/etc/ssl/cert.pem",                                 /* Alpine, without ca-certificates */
};

const char *http_certificates(const char *named, const char *usual)
{
    if (named && *named)
        return named;
    if (usual && access(usual, R_OK) == 0)
        return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], R_OK) == 0)
            return places[i];
    return NULL;
}

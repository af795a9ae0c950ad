/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Untrusted text in HTML. Every text of a record goes through these functions, and none of them
 * writes a byte of it that HTML would interpret. */
#include "base/buf.h"

/* Append text for an element's content. "&<>\"'" become character references, so the same bytes
 * also fit between the quotes of an attribute. Characters that control, hide or reorder text, and
 * bytes that are not UTF-8, are shown escaped ("\u202e"); line ends and tabs stay. */
void html_text(rdv_buf *b, rdv_str text);
/* The same; escaped characters are marked up as such: for content only. */
void html_prose(rdv_buf *b, rdv_str text);
/* Would these functions show every character of the text as itself? */
bool html_is_plain(rdv_str text);
/* Append text as a part of an id and of a link to it: letters, digits, ".", "_", "-" and "/"
 * stay, other bytes become "~" and two hexadecimal digits. At most 120 bytes of the text are
 * used. */
void html_anchor(rdv_buf *b, rdv_str text);
/* Append bytes to a URL's path or data, percent-encoded. */
void html_percent(rdv_buf *b, rdv_str bytes);
/* Append text for a search: one line without control characters. */
void html_plain(rdv_buf *b, rdv_str text);

/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of the library, by their place and by their name. */
#include "method/method.h"

#include "base/str.h"

const rdv_method *rdv_method_at(size_t i)
{
    return i < method_list_n ? &method_list[i]->method : NULL;
}

const method_entry *method_entry_of(const rdv_method *method)
{
    for (size_t i = 0; i < method_list_n; i++)
        if (&method_list[i]->method == method)
            return method_list[i];
    return method ? method->made : NULL;
}

const rdv_method *rdv_method_named(rdv_str name)
{
    for (size_t i = 0; i < method_list_n; i++)
        if (rdv_str_eq(name, rdv_str_of(method_list[i]->method.name)))
            return &method_list[i]->method;
    return NULL;
}

/* Types of the Functional Mock-up Interface 3.0, as far as this library has variables of them. */

#ifndef POLHODE_FMI3_H
#define POLHODE_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t reference; /* fmi3ValueReference */

/* fmi3Status */
enum { OK, WARNING, DISCARD, ERROR, FATAL };
typedef int status;

/* fmi3LogMessageCallback */
typedef void log_callback(void *environment, status severity, const char *category, const char *message);

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#endif

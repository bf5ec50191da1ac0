/* An instance of an FMU, and the beginning of each function of the interface. */

#ifndef POLHODE_INSTANCE_H
#define POLHODE_INSTANCE_H

#include "run.h"

enum phase { INSTANTIATED = 1, INITIALIZATION = 2, STEP = 4, TERMINATED = 8, ANY = 15 };

struct instance {
    struct run run;
    enum phase phase;
    double start_time, stop_time; /* [s] of the environment; the scene begins at 0 */
    double time;                  /* [s] of the environment */
    double *wanted;               /* inputs as they will be from the next step on */
    bool is_logging;
    void *environment;
    log_callback *log;
};

/* Log a message, and terminate the instance where it is an error; returns the status. */
status report(struct instance *instance, status severity, const char *text, ...);

/* Whether a function may be called now; else it is reported. */
bool is_allowed(struct instance *instance, const char *name, int phases);

#define REQUIRE(name, phases) \
    if (!is_allowed(instance, #name, phases)) return ERROR

#endif

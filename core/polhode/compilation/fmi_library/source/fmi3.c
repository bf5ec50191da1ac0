/* The interface FMI 3.0 for co-simulation: which calls are allowed when, values by their references, steps.

   References: 0 is the time, then the inputs, then the outputs, in the order of the model description. */

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

enum { LONGEST = 512 };
static const double SAME_TIME = 1e-6; /* [steps] difference of times that is rounding */

status report(struct instance *instance, status severity, const char *text, ...) {
    static const char *const CATEGORIES[] = {"", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"};
    char message[LONGEST];
    va_list values;
    if (severity == ERROR) instance->phase = TERMINATED;
    if (instance->log == NULL || (severity < ERROR && !instance->is_logging)) return severity;
    va_start(values, text);
    vsnprintf(message, sizeof message, text, values);
    va_end(values);
    instance->log(instance->environment, severity, CATEGORIES[severity], message);
    return severity;
}

bool is_allowed(struct instance *instance, const char *name, int phases) {
    if (instance == NULL) return false;
    if (instance->phase & phases) return true;
    report(instance, ERROR, "%s can't be called now: see the state machine of FMI 3.0, or reset the instance", name);
    return false;
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT status fmi3SetDebugLogging(struct instance *instance, bool is_logging, size_t count, const char *const names[]) {
    REQUIRE(fmi3SetDebugLogging, ANY);
    if (count > 0 && names == NULL) return report(instance, ERROR, "fmi3SetDebugLogging: no categories");
    instance->is_logging = is_logging;
    return OK;
}

/* Creation and end */

static void write_path(char *path, size_t size, const char *folder) {
    size_t length = strlen(folder);
    bool has_end = length > 0 && (folder[length - 1] == '/' || folder[length - 1] == '\\');
    snprintf(path, size, "%s%sscene.bin", folder, has_end ? "" : "/");
}

static const char *begin_instance(struct instance *instance, const char *token, const char *resources) {
    enum { LONGEST_PATH = 4096 };
    char path[LONGEST_PATH];
    if (token == NULL) return "there is no instantiation token";
    if (resources == NULL || strlen(resources) > LONGEST_PATH - 16) return "there is no path of the resources";
    write_path(path, sizeof path, resources);
    const char *reason = begin_run(&instance->run, path, token);
    if (reason != NULL) return reason;
    instance->wanted = calloc((size_t)instance->run.image.layout.inputs_count + 1, sizeof(double));
    return instance->wanted == NULL ? "there is too little memory" : NULL;
}

static void start_inputs(struct instance *instance) {
    memcpy(instance->wanted, instance->run.values, (size_t)instance->run.image.layout.inputs_count * sizeof(double));
}

EXPORT void fmi3FreeInstance(struct instance *instance) {
    if (instance == NULL) return;
    end_run(&instance->run);
    free(instance->wanted);
    free(instance);
}

EXPORT struct instance *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                                    bool is_visible, bool is_logging, bool uses_events,
                                                    bool may_return_early, const reference intermediate[],
                                                    size_t intermediate_count, void *environment, log_callback *log,
                                                    void *update) {
    struct instance *instance = calloc(1, sizeof *instance);
    (void)is_visible, (void)may_return_early, (void)intermediate, (void)update;
    if (instance == NULL) return NULL;
    *instance = (struct instance){.phase = INSTANTIATED, .is_logging = is_logging, .environment = environment, .log = log};
    const char *reason = name == NULL || *name == 0 ? "the instance has no name" : begin_instance(instance, token, resources);
    if (uses_events) reason = "it has no event mode";
    if (intermediate_count > 0) reason = "it has no intermediate variables";
    if (reason != NULL) {
        report(instance, ERROR, "can't be instantiated: %s", reason);
        fmi3FreeInstance(instance);
        return NULL;
    }
    start_inputs(instance);
    return instance;
}

static struct instance *refused(void *environment, log_callback *log) {
    if (log != NULL) log(environment, ERROR, "logStatusError", "can't be instantiated: it is for co-simulation alone");
    return NULL;
}

EXPORT struct instance *fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources,
                                                     bool is_visible, bool is_logging, void *environment,
                                                     log_callback *log) {
    (void)name, (void)token, (void)resources, (void)is_visible, (void)is_logging;
    return refused(environment, log);
}

EXPORT struct instance *fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                                          bool is_visible, bool is_logging, void *environment,
                                                          log_callback *log, void *clock, void *lock, void *unlock) {
    (void)name, (void)token, (void)resources, (void)is_visible, (void)is_logging, (void)clock, (void)lock, (void)unlock;
    return refused(environment, log);
}

EXPORT status fmi3EnterInitializationMode(struct instance *instance, bool has_tolerance, double tolerance, double start,
                                          bool has_stop, double stop) {
    REQUIRE(fmi3EnterInitializationMode, INSTANTIATED);
    (void)has_tolerance, (void)tolerance;
    if (!isfinite(start) || (has_stop && !(stop > start)))
        return report(instance, ERROR, "the start time must be finite, and the stop time larger");
    instance->start_time = instance->time = start;
    instance->stop_time = has_stop ? stop : INFINITY;
    instance->phase = INITIALIZATION;
    return OK;
}

static void apply_inputs(struct instance *instance) {
    bool has_changed = false;
    for (word k = 0; k < instance->run.image.layout.inputs_count; k++)
        has_changed = has_changed || instance->wanted[k] != instance->run.values[k]; /* 0.0 equals -0.0 */
    if (has_changed) set_inputs(&instance->run, instance->wanted);
}

EXPORT status fmi3ExitInitializationMode(struct instance *instance) {
    REQUIRE(fmi3ExitInitializationMode, INITIALIZATION);
    apply_inputs(instance);
    instance->phase = STEP;
    return OK;
}

EXPORT status fmi3Terminate(struct instance *instance) {
    REQUIRE(fmi3Terminate, STEP);
    instance->phase = TERMINATED;
    return OK;
}

EXPORT status fmi3Reset(struct instance *instance) {
    REQUIRE(fmi3Reset, ANY);
    restart(&instance->run);
    start_inputs(instance);
    instance->start_time = instance->time = 0.0;
    instance->phase = INSTANTIATED;
    return OK;
}

/* Values */

EXPORT status fmi3GetFloat64(struct instance *instance, const reference references[], size_t count, double values[],
                             size_t values_count) {
    REQUIRE(fmi3GetFloat64, ANY);
    const struct layout *layout = &instance->run.image.layout;
    if (count != values_count || (count > 0 && (references == NULL || values == NULL)))
        return report(instance, ERROR, "fmi3GetFloat64: each reference needs one value");
    if (instance->phase & (INSTANTIATED | INITIALIZATION | STEP)) apply_inputs(instance);
    for (size_t k = 0; k < count; k++) {
        word which = (word)references[k] - 1;
        if (which < 0) values[k] = instance->time;
        else if (which < layout->inputs_count) values[k] = instance->wanted[which];
        else if (which < layout->inputs_count + layout->outputs)
            values[k] = observe_run(&instance->run)[instance->run.image.outputs[which - layout->inputs_count]];
        else return report(instance, ERROR, "fmi3GetFloat64: no variable has the reference %u", (unsigned)references[k]);
    }
    return OK;
}

EXPORT status fmi3SetFloat64(struct instance *instance, const reference references[], size_t count,
                             const double values[], size_t values_count) {
    REQUIRE(fmi3SetFloat64, INSTANTIATED | INITIALIZATION | STEP);
    word inputs = instance->run.image.layout.inputs_count;
    if (count != values_count || (count > 0 && (references == NULL || values == NULL)))
        return report(instance, ERROR, "fmi3SetFloat64: each reference needs one value");
    for (size_t k = 0; k < count; k++)
        if (references[k] < 1 || (word)references[k] > inputs)
            return report(instance, ERROR, "fmi3SetFloat64: no input has the reference %u", (unsigned)references[k]);
    for (size_t k = 0; k < count; k++) {
        const struct input *input = instance->run.image.inputs + references[k] - 1;
        if (!isfinite(values[k]) || values[k] < input->lowest || values[k] > input->highest)
            return report(instance, DISCARD, "#%u# can't be %g: a number from %g to %g is needed", (unsigned)references[k],
                          values[k], input->lowest, input->highest);
    }
    for (size_t k = 0; k < count; k++) instance->wanted[references[k] - 1] = values[k];
    return OK;
}

/* Steps */

EXPORT status fmi3DoStep(struct instance *instance, double point, double size, bool is_final, bool *needs_events,
                         bool *terminates, bool *is_early, double *reached) {
    REQUIRE(fmi3DoStep, STEP);
    (void)is_final;
    if (needs_events == NULL || terminates == NULL || is_early == NULL || reached == NULL)
        return report(instance, ERROR, "fmi3DoStep: a result has no place");
    *needs_events = *terminates = *is_early = false;
    double step = instance->run.image.layout.time_step, data_end = instance->run.image.layout.data_end;
    double grain = SAME_TIME * step + 8.0 * DBL_EPSILON * fabs(point), end = point + size;
    *reached = instance->time;
    if (!(size > 0.0) || !isfinite(end))
        return report(instance, ERROR, "fmi3DoStep: the communication step must be a number larger than 0");
    if (fabs(point - instance->time) > grain)
        return report(instance, ERROR, "fmi3DoStep: the time is %.17g s, not %.17g s", instance->time, point);
    if (end - instance->start_time > data_end + grain)
        return report(instance, DISCARD, "measured data end at %.9g s: make shorter steps, or end the run there",
                      instance->start_time + data_end);
    if (end > instance->stop_time + grain)
        return report(instance, ERROR, "fmi3DoStep: the step ends after the stop time of %.9g s", instance->stop_time);
    if (size > 1e12 * step)
        return report(instance, DISCARD, "fmi3DoStep: these are more than 1e12 steps: make shorter ones");
    apply_inputs(instance);
    /* times that are whole steps but for rounding must not part from those of the environment */
    double lag = point - instance->start_time - time_of(&instance->run);
    if (!advance_by(&instance->run, fabs(lag) > 0.5 * grain ? size + lag : size)) {
        *reached = instance->time = instance->start_time + time_of(&instance->run);
        return report(instance, ERROR, "the run diverged at t = %.9g s: take a smaller time step in the scene", *reached);
    }
    *reached = instance->time = end;
    return OK;
}

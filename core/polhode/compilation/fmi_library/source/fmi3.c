/* The interface FMI 3.0 for co-simulation: which calls are allowed when, values by their references, steps, states.

   References: 0 is the time, then the inputs, then the outputs, in the order of the model description. */

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum phase { INSTANTIATED = 1, INITIALIZATION = 2, STEP = 4, TERMINATED = 8, ANY = 15 };
enum { LONGEST = 512 };
static const double SAME_TIME = 1e-9; /* difference of times, in parts of the larger one or of a step */

struct instance {
    struct run run;
    enum phase phase;
    double start_time, stop_time; /* [s] of the environment; the scene begins at 0 */
    double *wanted;               /* inputs as they will be from the next step on */
    bool is_logging;
    void *environment;
    log_callback *log;
};

/* A state of an instance; serialised, it is these bytes. */
struct saved {
    uint64_t size, digest; /* of the bytes of the run and all after these two */
    uint64_t phase;
    double start_time, stop_time;
    unsigned char run[]; /* then wanted inputs */
};

static status report(struct instance *instance, status severity, const char *text, ...) {
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

/* Whether a function may be called now; else it is reported. */
static bool is_allowed(struct instance *instance, const char *name, int phases) {
    if (instance == NULL) return false;
    if (instance->phase & phases) return true;
    report(instance, ERROR, "%s can't be called now: see the state machine of FMI 3.0, or reset the instance", name);
    return false;
}

#define REQUIRE(name, phases) \
    if (!is_allowed(instance, #name, phases)) return ERROR

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
    instance->start_time = start;
    instance->stop_time = has_stop ? stop : INFINITY;
    instance->phase = INITIALIZATION;
    return OK;
}

static void apply_inputs(struct instance *instance) {
    size_t size = (size_t)instance->run.image.layout.inputs_count * sizeof(double);
    if (memcmp(instance->wanted, instance->run.values, size) != 0) set_inputs(&instance->run, instance->wanted);
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
    instance->phase = INSTANTIATED;
    return OK;
}

/* Values */

static double time_outside(const struct instance *instance) { return instance->start_time + time_of(&instance->run); }

EXPORT status fmi3GetFloat64(struct instance *instance, const reference references[], size_t count, double values[],
                             size_t values_count) {
    REQUIRE(fmi3GetFloat64, ANY);
    const struct layout *layout = &instance->run.image.layout;
    if (count != values_count || (count > 0 && (references == NULL || values == NULL)))
        return report(instance, ERROR, "fmi3GetFloat64: each reference needs one value");
    if (instance->phase & (INSTANTIATED | INITIALIZATION | STEP)) apply_inputs(instance);
    for (size_t k = 0; k < count; k++) {
        word which = (word)references[k] - 1;
        if (which < 0) values[k] = time_outside(instance);
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

/* All variables are numbers of 64 bits: others are asked for by nothing, or by a mistake. */
#define NO_VALUES(kind, type) \
    EXPORT status fmi3Get##kind(struct instance *instance, const reference references[], size_t count, type values[], \
                                size_t values_count) { \
        REQUIRE(fmi3Get##kind, ANY); \
        (void)references, (void)values, (void)values_count; \
        return count == 0 ? OK : report(instance, ERROR, "fmi3Get" #kind ": there are no such variables"); \
    } \
    EXPORT status fmi3Set##kind(struct instance *instance, const reference references[], size_t count, \
                                const type values[], size_t values_count) { \
        REQUIRE(fmi3Set##kind, INSTANTIATED | INITIALIZATION | STEP); \
        (void)references, (void)values, (void)values_count; \
        return count == 0 ? OK : report(instance, ERROR, "fmi3Set" #kind ": there are no such variables"); \
    }

typedef const char *string;
NO_VALUES(Float32, float)
NO_VALUES(Int8, int8_t)
NO_VALUES(UInt8, uint8_t)
NO_VALUES(Int16, int16_t)
NO_VALUES(UInt16, uint16_t)
NO_VALUES(Int32, int32_t)
NO_VALUES(UInt32, uint32_t)
NO_VALUES(Int64, int64_t)
NO_VALUES(UInt64, uint64_t)
NO_VALUES(Boolean, bool)
NO_VALUES(String, string)

EXPORT status fmi3GetBinary(struct instance *instance, const reference references[], size_t count, size_t sizes[],
                            const uint8_t *values[], size_t values_count) {
    REQUIRE(fmi3GetBinary, ANY);
    (void)references, (void)sizes, (void)values, (void)values_count;
    return count == 0 ? OK : report(instance, ERROR, "fmi3GetBinary: there are no such variables");
}

EXPORT status fmi3SetBinary(struct instance *instance, const reference references[], size_t count, const size_t sizes[],
                            const uint8_t *const values[], size_t values_count) {
    REQUIRE(fmi3SetBinary, INSTANTIATED | INITIALIZATION | STEP);
    (void)references, (void)sizes, (void)values, (void)values_count;
    return count == 0 ? OK : report(instance, ERROR, "fmi3SetBinary: there are no such variables");
}

/* Steps */

EXPORT status fmi3DoStep(struct instance *instance, double point, double size, bool is_final, bool *needs_events,
                         bool *terminates, bool *is_early, double *reached) {
    REQUIRE(fmi3DoStep, STEP);
    (void)is_final;
    if (needs_events == NULL || terminates == NULL || is_early == NULL || reached == NULL)
        return report(instance, ERROR, "fmi3DoStep: a result has no place");
    *needs_events = *terminates = *is_early = false;
    double now = time_outside(instance), end = point + size - instance->start_time;
    *reached = now;
    if (!(size > 0.0) || !isfinite(point + size))
        return report(instance, ERROR, "fmi3DoStep: the communication step must be a number larger than 0");
    double grain = SAME_TIME * fmax(fmax(fabs(now), fabs(point)), instance->run.image.layout.time_step);
    if (fabs(point - now) > grain)
        return report(instance, ERROR, "fmi3DoStep: the time is %.17g s, not %.17g s", now, point);
    if (end > instance->run.image.layout.data_end + grain)
        return report(instance, DISCARD, "measured data end at %.9g s: make shorter steps, or end the run there",
                      instance->start_time + instance->run.image.layout.data_end);
    if (point + size > instance->stop_time + grain)
        return report(instance, ERROR, "fmi3DoStep: the step ends after the stop time of %.9g s", instance->stop_time);
    if (size > 1e12 * instance->run.image.layout.time_step)
        return report(instance, DISCARD, "fmi3DoStep: these are more than 1e12 steps: make shorter ones");
    apply_inputs(instance);
    if (!advance_by(&instance->run, size)) {
        *reached = time_outside(instance);
        return report(instance, ERROR, "the run diverged at t = %.9g s: take a smaller time step in the scene", *reached);
    }
    *reached = point + size;
    return OK;
}

/* States */

static size_t size_of_saved(const struct instance *instance) {
    return sizeof(struct saved) + size_of_state(&instance->run) +
           (size_t)instance->run.image.layout.inputs_count * sizeof(double);
}

static uint64_t digest_of(const struct saved *saved) {
    size_t head = 2 * sizeof(uint64_t);
    return digest((const unsigned char *)saved + head, (size_t)saved->size - head);
}

EXPORT status fmi3GetFMUState(struct instance *instance, struct saved **state) {
    REQUIRE(fmi3GetFMUState, ANY);
    if (state == NULL) return report(instance, ERROR, "fmi3GetFMUState: the result has no place");
    size_t size = size_of_saved(instance);
    if (*state != NULL && (*state)->size != size)
        return report(instance, ERROR, "fmi3GetFMUState: the state is that of another scene");
    if (*state == NULL) *state = calloc(1, size);
    if (*state == NULL) return report(instance, ERROR, "there is too little memory");
    struct saved *saved = *state;
    saved->size = size;
    saved->phase = (uint64_t)instance->phase;
    saved->start_time = instance->start_time;
    saved->stop_time = instance->stop_time;
    save_state(&instance->run, saved->run);
    memcpy(saved->run + size_of_state(&instance->run), instance->wanted,
           (size_t)instance->run.image.layout.inputs_count * sizeof(double));
    saved->digest = digest_of(saved);
    return OK;
}

EXPORT status fmi3SetFMUState(struct instance *instance, struct saved *saved) {
    REQUIRE(fmi3SetFMUState, ANY);
    if (saved == NULL || saved->size != size_of_saved(instance) || saved->digest != digest_of(saved))
        return report(instance, ERROR, "fmi3SetFMUState: this is no state of this instance");
    instance->phase = (enum phase)saved->phase;
    instance->start_time = saved->start_time;
    instance->stop_time = saved->stop_time;
    load_state(&instance->run, saved->run);
    memcpy(instance->wanted, saved->run + size_of_state(&instance->run),
           (size_t)instance->run.image.layout.inputs_count * sizeof(double));
    return OK;
}

EXPORT status fmi3FreeFMUState(struct instance *instance, struct saved **state) {
    REQUIRE(fmi3FreeFMUState, ANY);
    if (state == NULL) return OK;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT status fmi3SerializedFMUStateSize(struct instance *instance, struct saved *saved, size_t *size) {
    REQUIRE(fmi3SerializedFMUStateSize, ANY);
    if (saved == NULL || size == NULL) return report(instance, ERROR, "fmi3SerializedFMUStateSize: there is no state");
    *size = (size_t)saved->size;
    return OK;
}

EXPORT status fmi3SerializeFMUState(struct instance *instance, struct saved *saved, uint8_t bytes[], size_t size) {
    REQUIRE(fmi3SerializeFMUState, ANY);
    if (saved == NULL || bytes == NULL || size < saved->size)
        return report(instance, ERROR, "fmi3SerializeFMUState: there is too little place");
    memcpy(bytes, saved, (size_t)saved->size);
    return OK;
}

EXPORT status fmi3DeserializeFMUState(struct instance *instance, const uint8_t bytes[], size_t size,
                                      struct saved **state) {
    REQUIRE(fmi3DeserializeFMUState, ANY);
    if (bytes == NULL || state == NULL || size < sizeof(struct saved) || size != size_of_saved(instance))
        return report(instance, ERROR, "fmi3DeserializeFMUState: these bytes are no state of this scene");
    struct saved *saved = malloc(size);
    if (saved == NULL) return report(instance, ERROR, "there is too little memory");
    memcpy(saved, bytes, size);
    if (saved->size != size || saved->digest != digest_of(saved)) {
        free(saved);
        return report(instance, ERROR, "fmi3DeserializeFMUState: these bytes are damaged");
    }
    free(*state);
    *state = saved;
    return OK;
}

/* What this kind of FMU does not have: calls with nothing to do succeed where the standard lets them. */
#define UNAVAILABLE(name) \
    EXPORT status name(struct instance *instance) { \
        REQUIRE(name, ANY); \
        return report(instance, ERROR, #name " is not available: see the capabilities in the model description"); \
    }

UNAVAILABLE(fmi3EnterEventMode)
UNAVAILABLE(fmi3EnterStepMode)
UNAVAILABLE(fmi3EnterConfigurationMode)
UNAVAILABLE(fmi3ExitConfigurationMode)
UNAVAILABLE(fmi3EnterContinuousTimeMode)
UNAVAILABLE(fmi3GetNumberOfVariableDependencies)
UNAVAILABLE(fmi3GetVariableDependencies)
UNAVAILABLE(fmi3GetDirectionalDerivative)
UNAVAILABLE(fmi3GetAdjointDerivative)
UNAVAILABLE(fmi3GetClock)
UNAVAILABLE(fmi3SetClock)
UNAVAILABLE(fmi3GetIntervalDecimal)
UNAVAILABLE(fmi3GetIntervalFraction)
UNAVAILABLE(fmi3SetIntervalDecimal)
UNAVAILABLE(fmi3SetIntervalFraction)
UNAVAILABLE(fmi3GetShiftDecimal)
UNAVAILABLE(fmi3GetShiftFraction)
UNAVAILABLE(fmi3SetShiftDecimal)
UNAVAILABLE(fmi3SetShiftFraction)
UNAVAILABLE(fmi3EvaluateDiscreteStates)
UNAVAILABLE(fmi3UpdateDiscreteStates)
UNAVAILABLE(fmi3CompletedIntegratorStep)
UNAVAILABLE(fmi3SetTime)
UNAVAILABLE(fmi3SetContinuousStates)
UNAVAILABLE(fmi3GetContinuousStates)
UNAVAILABLE(fmi3GetContinuousStateDerivatives)
UNAVAILABLE(fmi3GetNominalsOfContinuousStates)
UNAVAILABLE(fmi3GetEventIndicators)
UNAVAILABLE(fmi3GetNumberOfEventIndicators)
UNAVAILABLE(fmi3GetNumberOfContinuousStates)
UNAVAILABLE(fmi3GetOutputDerivatives)
UNAVAILABLE(fmi3ActivateModelPartition)

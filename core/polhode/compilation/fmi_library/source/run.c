/* What Simulation does between batches of steps (core/polhode/simulation): the same calls in the same order. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Arrays as kernels get them: owner, parent, count, size of a number, data, shape, strides [bytes]. */
#define VECTOR void *, void *, word, word, double *, word, word
#define VECTOR_OF(data, count) NULL, NULL, (word)(count), 8, (data), (word)(count), 8
#define ROWS void *, void *, word, word, double *, word, word, word, word
#define ROW_OF(data, count) NULL, NULL, (word)(count), 8, (data), 1, (word)(count), 8 * (word)(count), 8

typedef int advance_kernel(word *taken, void **, void *method, void *model, void *inputs, VECTOR, void *work,
                           double start, double step, word done, word steps);
typedef int begin_kernel(word *, void **, void *method, void *model, void *inputs, double time, VECTOR, void *work);
typedef int place_kernel(word *, void **, void *model, void *inputs, double time, VECTOR, void *work);
typedef int observe_kernel(word *, void **, void *model, void *inputs, VECTOR, ROWS, void *work, ROWS);

static const double WHOLE = 1e-6; /* [steps], as of core/polhode/run/runner.py */
static const uintptr_t ALIGNMENT = 64;

static bool find_units(struct run *run) {
    struct {
        void **address;
        const char *name;
    } wanted[] = {{&run->advance, "polhode.run.loop:advance"},
                  {&run->begin, "polhode.run.method:begin"},
                  {&run->place, "polhode.engine.rates:place"},
                  {&run->energies, "polhode.engine.diagnostics:energies"},
                  {&run->observe, "polhode.engine.diagnostics:observe"}};
    bool is_whole = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        *wanted[k].address = unit_of_name(wanted[k].name, strlen(wanted[k].name));
        is_whole = is_whole && *wanted[k].address != NULL;
    }
    return is_whole;
}

static void *at(const struct run *run, word offset) { return run->block + offset; }

static double *numbers(const struct run *run, word offset) { return at(run, offset); }

double time_of(const struct run *run) { return run->start + (double)run->done * run->step; }

/* Addresses of model and inputs, time and state: arguments of many kernels. */
#define MODEL(run) at(run, (run)->image.layout.model), at(run, (run)->image.layout.inputs)
#define STATE(run) VECTOR_OF(numbers(run, (run)->image.layout.state), (run)->image.layout.state_size)
#define WORK(run) at(run, (run)->image.layout.work)

static void call(struct run *run, void *kernel) {
    word result;
    void *error = NULL;
    ((place_kernel *)kernel)(&result, &error, MODEL(run), time_of(run), STATE(run), WORK(run));
}

static void place(struct run *run) { call(run, run->place); }

static void begin(struct run *run) {
    word result;
    void *error = NULL;
    ((begin_kernel *)run->begin)(&result, &error, at(run, run->image.layout.method), MODEL(run), time_of(run), STATE(run),
                                 WORK(run));
}

static double total_energy(struct run *run) {
    call(run, run->energies);
    double total = 0.0;
    for (word k = 0; k < run->image.layout.energies; k++) total += numbers(run, run->image.layout.energy)[k];
    return total;
}

static void set_step(struct run *run, double step) {
    numbers(run, run->image.layout.step)[0] = step;
    numbers(run, run->image.layout.stop_time)[0] = (double)run->image.layout.stop_steps * step;
}

static void set_clock(struct run *run, double start, double step, word done) {
    run->start = start;
    run->step = step;
    run->done = done;
}

static void write_input(struct run *run, word number, double value) {
    const struct input *input = run->image.inputs + number;
    for (word k = 0; k < input->count; k++) {
        double factor;
        memcpy(&factor, input->places + 2 * k + 1, sizeof factor);
        numbers(run, input->places[2 * k])[0] = factor * value;
    }
    run->values[number] = value;
}

void restart(struct run *run) {
    const struct layout *layout = &run->image.layout;
    memcpy(run->block, run->image.block, (size_t)layout->size);
    relocate(&run->image, run->block);
    set_clock(run, 0.0, layout->time_step, 0);
    for (word k = 0; k < layout->inputs_count; k++) write_input(run, k, run->image.inputs[k].start);
    begin(run); /* the history of rates is that of these inputs */
    run->is_observed = false;
}

const char *begin_run(struct run *run, const char *path, const char *token) {
    memset(run, 0, sizeof *run);
    if (!find_units(run)) return "the library lacks kernels";
    const char *reason = read_image(&run->image, path, token);
    if (reason != NULL) return reason;
    const struct layout *layout = &run->image.layout;
    size_t size = ((size_t)layout->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
#if defined(_WIN32)
    run->block = _aligned_malloc(size, ALIGNMENT);
#else
    run->block = aligned_alloc(ALIGNMENT, size);
#endif
    run->row = calloc((size_t)layout->columns, sizeof(double));
    run->values = calloc((size_t)layout->inputs_count + 1, sizeof(double));
    if (run->block == NULL || run->row == NULL || run->values == NULL) return "there is too little memory";
    restart(run);
    return NULL;
}

void end_run(struct run *run) {
#if defined(_WIN32)
    _aligned_free(run->block);
#else
    free(run->block);
#endif
    free(run->row);
    free(run->values);
    free_image(&run->image);
}

static word advance_steps(struct run *run, word steps) {
    word taken = 0;
    void *error = NULL;
    numbers(run, run->image.layout.basis_error)[0] = 0.0;
    numbers(run, run->image.layout.step)[0] = run->step;
    ((advance_kernel *)run->advance)(&taken, &error, at(run, run->image.layout.method), MODEL(run), STATE(run), WORK(run),
                                     run->start, run->step, run->done, steps);
    run->done += taken;
    place(run);
    return taken;
}

bool advance_by(struct run *run, double seconds) {
    double usual = run->image.layout.time_step, steps = seconds / usual, end = time_of(run) + seconds;
    if (!(steps > 0.0)) return true;
    bool is_whole = fabs(steps - rint(steps)) <= WHOLE;
    word count = (word)(is_whole ? rint(steps) : ceil(steps));
    double step = is_whole ? usual : seconds / (double)count;
    run->is_observed = false;
    if (step != run->step) {
        set_clock(run, time_of(run), step, 0);
        set_step(run, step);
        begin(run);
        place(run);
    }
    if (count > 0 && advance_steps(run, count) < count) return false;
    if (step != usual) set_clock(run, end, step, 0);
    return true;
}

void set_inputs(struct run *run, const double *values) {
    const struct layout *layout = &run->image.layout;
    double before = total_energy(run);
    for (word k = 0; k < layout->inputs_count; k++)
        if (values[k] != run->values[k]) write_input(run, k, values[k]);
    numbers(run, layout->state)[layout->ledger + layout->drive] += total_energy(run) - before;
    begin(run);
    run->is_observed = false;
}

const double *observe_run(struct run *run) {
    const struct layout *layout = &run->image.layout;
    if (!run->is_observed) {
        word result;
        void *error = NULL;
        double time = time_of(run);
        place(run);
        ((observe_kernel *)run->observe)(&result, &error, MODEL(run), VECTOR_OF(&time, 1),
                                         ROW_OF(numbers(run, layout->state), layout->state_size), WORK(run),
                                         ROW_OF(run->row, layout->columns));
        run->is_observed = true;
    }
    return run->row;
}

/* The clock, the inputs and the block, in this order. */
static size_t size_of_inputs(const struct run *run) { return (size_t)run->image.layout.inputs_count * sizeof(double); }

size_t size_of_state(const struct run *run) {
    return 3 * sizeof(double) + size_of_inputs(run) + (size_t)run->image.layout.size;
}

void save_state(const struct run *run, unsigned char *bytes) {
    memcpy(bytes, &run->start, 8);
    memcpy(bytes + 8, &run->step, 8);
    memcpy(bytes + 16, &run->done, 8);
    memcpy(bytes + 24, run->values, size_of_inputs(run));
    memcpy(bytes + 24 + size_of_inputs(run), run->block, (size_t)run->image.layout.size);
}

void load_state(struct run *run, const unsigned char *bytes) {
    memcpy(&run->start, bytes, 8);
    memcpy(&run->step, bytes + 8, 8);
    memcpy(&run->done, bytes + 16, 8);
    memcpy(run->values, bytes + 24, size_of_inputs(run));
    memcpy(run->block, bytes + 24 + size_of_inputs(run), (size_t)run->image.layout.size);
    relocate(&run->image, run->block);
    run->is_observed = false;
}

/* A run of a scene: its memory, its clock, and what is done in Python elsewhere. */

#ifndef POLHODE_RUN_H
#define POLHODE_RUN_H

#include "image.h"

struct run {
    struct image image;
    unsigned char *block; /* memory of the scene, at a multiple of 64 */
    double *row, *values; /* columns of the current moment; inputs as they were set */
    double start, step;   /* [s] of the clock: t = start + done x step */
    word done;
    void *advance, *begin, *place, *energies, *observe; /* units that are called from here */
    bool is_observed; /* whether `row` is that of the current state */
};

/* Returns a reason, or NULL. `end_run` is called in both cases. */
const char *begin_run(struct run *run, const char *path, const char *token);
void end_run(struct run *run);

/* The state as at the start. */
void restart(struct run *run);

double time_of(const struct run *run);

/* Steps of the time step, or equal smaller ones where it does not divide the time; false if the next state is not
   finite: then the state is the last finite one. */
bool advance_by(struct run *run, double seconds);

/* Set numbers; the change of energy is work of what drives (the ledger's `drive`). */
void set_inputs(struct run *run, const double *values);

/* The columns of the table at the current time. */
const double *observe_run(struct run *run);

/* Bytes of all that changes, and copies of it. */
size_t size_of_state(const struct run *run);
void save_state(const struct run *run, unsigned char *bytes);
void load_state(struct run *run, const unsigned char *bytes);

#endif

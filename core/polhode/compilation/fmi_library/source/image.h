/* The file of a scene, as core/polhode/exporters/fmi/scene_file.py writes it: a block of memory with relocations. */

#ifndef POLHODE_IMAGE_H
#define POLHODE_IMAGE_H

#include "formulas.h"

typedef int64_t word;

/* Letters of the token of a file: its version and its digest. */
enum { TOKEN = 33 };

/* Offsets [bytes] in the block, and numbers of the scene, in the order of the file. */
struct layout {
    word size, method, model, inputs, state, work;
    word step, stop_time, basis_error, energy; /* arrays of Work */
    word state_size, columns, ledger, energies, drive, stop_steps;
    double time_step, data_end; /* [s] */
    word pointers, units, formulas, inputs_count, outputs;
};

/* Words of the block that have the same address of code. */
struct code {
    void *address;
    word count;
    const word *offsets;
};

/* A number that may be set: word = factor x value at each of its places. */
struct input {
    double start, lowest, highest;
    word count;
    const word *places; /* pairs of an offset and a factor, a double by its bits */
};

struct image {
    struct layout layout;
    const word *pointers;
    struct code *units;
    struct code *formulas;
    struct input *inputs;
    const word *outputs; /* columns of the table */
    const unsigned char *block;
    void *memory; /* of all */
    char token[TOKEN + 1];
};

/* Reads and checks a file, whose token must be that of the model description; returns a reason, or NULL. `image` is
   released by `free_image` in both cases. */
const char *read_image(struct image *image, const char *path, const char *token);
void free_image(struct image *image);

/* Writes the words that are addresses into a block, which begins at a multiple of 64. */
void relocate(const struct image *image, unsigned char *block);

/* FNV-1a of 64 bits over words; bytes behind the last whole word do not count. */
uint64_t digest(const void *bytes, size_t count);

/* The code of a unit by its name; NULL if there is none. */
void *unit_of_name(const char *name, size_t length);

#endif

/* Reads the file of a scene. It is checked for damage and for another version of the program; all offsets in it must
   lie in the block. Whoever writes a file with a right digest can make the kernels read any memory, as with the library
   itself, which lies beside it. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

#if defined(_WIN32)
/* Its header defines WORD and ERROR. */
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned, unsigned long, const char *, int, wchar_t *, int);
static const unsigned UTF_8 = 65001;
#endif

enum { WORD = sizeof(word), HEAD = 5, VERSION_AT = 1, SIZE_AT = 3, DIGEST_AT = 4, NAMES = 4096, MOST_WORDS = 1 << 27 };
static const char MAGIC[] = "POLHODE1";

/* From the table that the library's builder makes of all units. */
extern void *const polhode_units[];
extern const char *const polhode_unit_names[];
extern const int64_t polhode_unit_count;
extern const char polhode_version[]; /* 16 letters */

void *unit_of_name(const char *name, size_t length) {
    for (int64_t k = 0; k < polhode_unit_count; k++)
        if (strlen(polhode_unit_names[k]) == length && memcmp(polhode_unit_names[k], name, length) == 0)
            return polhode_units[k];
    return NULL;
}

uint64_t digest(const void *bytes, size_t count) {
    uint64_t found = 0xcbf29ce484222325u, next;
    for (size_t k = 0; k + WORD <= count; k += WORD) {
        memcpy(&next, (const unsigned char *)bytes + k, WORD);
        found = (found ^ next) * 0x100000001b3u;
    }
    return found;
}

static double as_double(word bits) {
    double value;
    memcpy(&value, &bits, WORD);
    return value;
}

/* What is left of a file. `is_good` is false once more was taken than there is. */
struct reader {
    const word *next, *end;
    bool is_good;
};

static const word *take(struct reader *reader, word count) {
    if (count < 0 || count > reader->end - reader->next) {
        reader->is_good = false;
        return NULL;
    }
    reader->next += count;
    return reader->next - count;
}

static word number(struct reader *reader) {
    const word *found = take(reader, 1);
    return found != NULL ? *found : 0;
}

/* A number of things that the file has: each needs a word at least. */
static word count_of(struct reader *reader) {
    word found = number(reader);
    if (found < 0 || found > reader->end - reader->next) reader->is_good = false;
    return reader->is_good ? found : 0;
}

/* Whether `count` words from an offset on are in the block. */
static bool is_inside(const struct layout *layout, word offset, word count) {
    return offset >= 0 && offset % WORD == 0 && count >= 0 && offset <= layout->size && count <= (layout->size - offset) / WORD;
}

static bool are_inside(const struct layout *layout, const word *offsets, word count, word stride) {
    if (offsets == NULL) return false;
    for (word k = 0; k < count; k++)
        if (!is_inside(layout, offsets[stride * k], 1)) return false;
    return true;
}

static void read_layout(struct reader *reader, struct layout *layout) {
    word *whole[] = {&layout->size, &layout->method, &layout->model, &layout->inputs, &layout->state, &layout->work,
                     &layout->step, &layout->stop_time, &layout->basis_error, &layout->energy,
                     &layout->state_size, &layout->columns, &layout->ledger, &layout->energies, &layout->drive,
                     &layout->stop_steps};
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) *whole[k] = number(reader);
    layout->time_step = as_double(number(reader));
    layout->data_end = as_double(number(reader));
    const word places[] = {layout->method, layout->model, layout->inputs, layout->work, layout->step, layout->stop_time,
                           layout->basis_error};
    if (!are_inside(layout, places, sizeof places / WORD, 1) || layout->size % WORD != 0 ||
        !is_inside(layout, layout->state, layout->state_size) || !is_inside(layout, layout->energy, layout->energies) ||
        layout->ledger < 0 || layout->drive < 0 || layout->drive >= layout->state_size - layout->ledger ||
        layout->columns < 1 || layout->columns > MOST_WORDS || !(layout->time_step > 0.0))
        reader->is_good = false;
}

/* The unit of the name that follows: its length, then its letters. */
static void *read_unit(struct reader *reader) {
    word length = number(reader);
    const word *letters = length > 0 && length < NAMES ? take(reader, (length + WORD - 1) / WORD) : NULL;
    void *found = letters != NULL ? unit_of_name((const char *)letters, (size_t)length) : NULL;
    if (found == NULL) reader->is_good = false;
    return found;
}

static void read_offsets(struct reader *reader, const struct layout *layout, struct code *code) {
    code->count = number(reader);
    code->offsets = take(reader, code->count);
    if (!are_inside(layout, code->offsets, code->count, 1)) reader->is_good = false;
}

static void read_formula(struct reader *reader, const struct layout *layout, struct code *code) {
    word count = count_of(reader), results_count = count_of(reader);
    struct step *steps = count > 0 && count <= MOST_STEPS ? calloc((size_t)count, sizeof *steps) : NULL;
    for (word k = 0; steps != NULL && k < count && reader->is_good; k++) {
        struct step *step = steps + k;
        step->operation = number(reader);
        step->first = number(reader);
        step->second = number(reader);
        bool has_values = step->operation > VARIABLE && (step->first < 0 || step->first >= k);
        bool has_second = (step->operation >= ADD && step->operation <= MAXIMUM) || step->operation == FUNCTION_OF_2;
        if (step->operation < 0 || step->operation >= OPERATIONS || step->first < 0 || has_values ||
            (has_second && (step->second < 0 || step->second >= k)))
            reader->is_good = false;
        if (step->operation >= FUNCTION_OF_1) step->function = read_unit(reader);
    }
    const word *results = take(reader, results_count);
    for (word k = 0; results != NULL && k < results_count; k++)
        if (results[k] < 0 || results[k] >= count) reader->is_good = false;
    read_offsets(reader, layout, code);
    if (steps != NULL && reader->is_good) code->address = formula_of(steps, count, results, results_count);
    if (code->address == NULL) reader->is_good = false;
    free(steps);
}

static void read_inputs(struct reader *reader, struct image *image) {
    for (word k = 0; k < image->layout.inputs_count && reader->is_good; k++) {
        struct input *input = image->inputs + k;
        input->start = as_double(number(reader));
        input->lowest = as_double(number(reader));
        input->highest = as_double(number(reader));
        input->count = number(reader);
        if (input->count < 0 || input->count > MOST_WORDS) reader->is_good = false;
        input->places = take(reader, reader->is_good ? 2 * input->count : -1);
        if (!are_inside(&image->layout, input->places, input->count, 2)) reader->is_good = false;
    }
}

static void read_parts(struct reader *reader, struct image *image) {
    struct layout *layout = &image->layout;
    read_layout(reader, layout);
    word *counts[] = {&layout->pointers, &layout->units, &layout->formulas, &layout->inputs_count, &layout->outputs};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) *counts[k] = count_of(reader);
    if (!reader->is_good) return;
    image->units = calloc((size_t)layout->units + 1, sizeof *image->units);
    image->formulas = calloc((size_t)layout->formulas + 1, sizeof *image->formulas);
    image->inputs = calloc((size_t)layout->inputs_count + 1, sizeof *image->inputs);
    if (image->units == NULL || image->formulas == NULL || image->inputs == NULL) reader->is_good = false;
    image->pointers = take(reader, layout->pointers);
    if (!are_inside(layout, image->pointers, layout->pointers, 1)) reader->is_good = false;
    for (word k = 0; k < layout->units && reader->is_good; k++) {
        image->units[k].address = read_unit(reader);
        read_offsets(reader, layout, image->units + k);
    }
    for (word k = 0; k < layout->formulas && reader->is_good; k++) read_formula(reader, layout, image->formulas + k);
    read_inputs(reader, image);
    image->outputs = take(reader, layout->outputs);
    for (word k = 0; image->outputs != NULL && k < layout->outputs; k++)
        if (image->outputs[k] < 0 || image->outputs[k] >= layout->columns) reader->is_good = false;
    image->block = (const unsigned char *)take(reader, reader->is_good ? layout->size / WORD : -1);
    if (reader->next != reader->end) reader->is_good = false;
}

/* Opens a file whose path is in UTF-8. */
static FILE *opened(const char *path) {
#if defined(_WIN32)
    enum { LONGEST_PATH = 4096 };
    wchar_t wide[LONGEST_PATH];
    return MultiByteToWideChar(UTF_8, 0, path, -1, wide, LONGEST_PATH) > 0 ? _wfopen(wide, L"rb") : NULL;
#else
    return fopen(path, "rb");
#endif
}

static word *read_words(const char *path, word *count) {
    FILE *file = opened(path);
    word *words = NULL;
    long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    *count = size / WORD;
    if (size >= HEAD * WORD && size % WORD == 0 && *count <= MOST_WORDS && fseek(file, 0, SEEK_SET) == 0) {
        words = malloc((size_t)size);
        if (words != NULL && fread(words, 1, (size_t)size, file) != (size_t)size) {
            free(words);
            words = NULL;
        }
    }
    if (file != NULL) fclose(file);
    return words;
}

/* Whether a token is version and digest of a file: "0123456789abcdef-0123456789abcdef". */
static bool is_token(const char *token, const word *words) {
    char expected[TOKEN + 1];
    snprintf(expected, sizeof expected, "%.16s-%016llx", (const char *)(words + VERSION_AT), (unsigned long long)words[DIGEST_AT]);
    return strncmp(token, expected, TOKEN + 1) == 0;
}

const char *read_image(struct image *image, const char *path, const char *token) {
    word count;
    memset(image, 0, sizeof *image);
    word *words = read_words(path, &count);
    image->memory = words;
    if (words == NULL) return "the scene in its resources can't be read";
    if (memcmp(words, MAGIC, WORD) != 0 || words[SIZE_AT] != count) return "the scene in its resources is damaged";
    if (memcmp(words + VERSION_AT, polhode_version, 2 * WORD) != 0) return "the scene in its resources is of another version than this library";
    if (digest(words + HEAD, (size_t)(count - HEAD) * WORD) != (uint64_t)words[DIGEST_AT])
        return "the scene in its resources is damaged";
    if (!is_token(token, words)) return "the instantiation token is not that of the scene in the resources";
    memcpy(image->token, token, TOKEN);
    struct reader reader = {words + HEAD, words + count, true};
    read_parts(&reader, image);
    return reader.is_good ? NULL : "the scene in its resources is damaged";
}

void free_image(struct image *image) {
    for (word k = 0; image->formulas != NULL && k < image->layout.formulas; k++)
        if (image->formulas[k].address != NULL) release_formula(image->formulas[k].address);
    free(image->units);
    free(image->formulas);
    free(image->inputs);
    free(image->memory);
    memset(image, 0, sizeof *image);
}

static void write_code(const struct code *codes, word count, unsigned char *block) {
    for (word k = 0; k < count; k++)
        for (word j = 0; j < codes[k].count; j++) memcpy(block + codes[k].offsets[j], &codes[k].address, sizeof(void *));
}

void relocate(const struct image *image, unsigned char *block) {
    for (word k = 0; k < image->layout.pointers; k++) {
        word target;
        memcpy(&target, image->block + image->pointers[k], WORD);
        target += (word)(intptr_t)block;
        memcpy(block + image->pointers[k], &target, WORD);
    }
    write_code(image->units, image->layout.units, block);
    write_code(image->formulas, image->layout.formulas, block);
}

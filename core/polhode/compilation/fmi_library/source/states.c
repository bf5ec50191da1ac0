/* States of instances: saved, restored, and as bytes. */

#include <stdlib.h>
#include <string.h>

#include "instance.h"

/* A state of an instance; serialised, it is these bytes. */
struct saved {
    uint64_t size, digest; /* of the bytes of the run and all after these two */
    char token[TOKEN + 7]; /* of the scene, a whole number of words */
    uint64_t phase;
    double start_time, stop_time, time;
    unsigned char run[]; /* then wanted inputs */
};

static size_t size_of_saved(const struct instance *instance) {
    return sizeof(struct saved) + size_of_state(&instance->run) +
           (size_t)instance->run.image.layout.inputs_count * sizeof(double);
}

static uint64_t digest_of(const struct saved *saved) {
    size_t head = 2 * sizeof(uint64_t);
    return digest((const unsigned char *)saved + head, (size_t)saved->size - head);
}

/* Whether a state is of this scene and of this version. */
static bool is_of_scene(const struct instance *instance, const struct saved *saved) {
    return saved->size == size_of_saved(instance) && memcmp(saved->token, instance->run.image.token, TOKEN) == 0;
}

EXPORT status fmi3GetFMUState(struct instance *instance, struct saved **state) {
    REQUIRE(fmi3GetFMUState, ANY);
    if (state == NULL) return report(instance, ERROR, "fmi3GetFMUState: the result has no place");
    size_t size = size_of_saved(instance);
    if (*state != NULL && !is_of_scene(instance, *state))
        return report(instance, ERROR, "fmi3GetFMUState: the state is that of another scene");
    if (*state == NULL) *state = calloc(1, size);
    if (*state == NULL) return report(instance, ERROR, "there is too little memory");
    struct saved *saved = *state;
    saved->size = size;
    saved->phase = (uint64_t)instance->phase;
    saved->start_time = instance->start_time;
    saved->stop_time = instance->stop_time;
    saved->time = instance->time;
    memcpy(saved->token, instance->run.image.token, TOKEN);
    save_state(&instance->run, saved->run);
    memcpy(saved->run + size_of_state(&instance->run), instance->wanted,
           (size_t)instance->run.image.layout.inputs_count * sizeof(double));
    saved->digest = digest_of(saved);
    return OK;
}

EXPORT status fmi3SetFMUState(struct instance *instance, struct saved *saved) {
    REQUIRE(fmi3SetFMUState, ANY);
    if (saved == NULL || !is_of_scene(instance, saved) || saved->digest != digest_of(saved))
        return report(instance, ERROR, "fmi3SetFMUState: this is no state of this instance");
    instance->phase = (enum phase)saved->phase;
    instance->start_time = saved->start_time;
    instance->stop_time = saved->stop_time;
    instance->time = saved->time;
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
    if (!is_of_scene(instance, saved) || saved->digest != digest_of(saved)) {
        free(saved);
        return report(instance, ERROR, "fmi3DeserializeFMUState: these bytes are damaged, or of another scene");
    }
    free(*state);
    *state = saved;
    return OK;
}

/* A growing buffer of bytes. */
#include <stdlib.h>
#include <string.h>

#define BUFFER_MIN 16
#define BUFFER_FREE(buffer) do { free((buffer)->bytes); (buffer)->length = 0; } while (0)

typedef unsigned char byte;
typedef int (*compare_fn)(const void *left, const void *right);

enum buffer_error {
    BUFFER_OK,
    BUFFER_NO_MEMORY,
};

/* What is in it and how much fits. */
typedef struct buffer {
    byte *bytes;
    size_t length;
    size_t capacity;
} buffer;

typedef struct {
    buffer *head;
    compare_fn compare;
} buffer_list_t;

struct reader {
    const buffer *source;
    size_t at;
};

int buffer_append(buffer *self, const byte *bytes, size_t length);

static size_t next_capacity(size_t capacity, size_t wanted)
{
    while (capacity < wanted)
        capacity *= 2;
    return capacity;
}

/* Adds bytes at the end.
 * Returns a buffer_error. */
int
buffer_append(buffer *self, const byte *bytes, size_t length)
{
    if (self->length + length > self->capacity) {
        size_t capacity = next_capacity(self->capacity, self->length + length);
        byte *grown = realloc(self->bytes, capacity);
        if (grown == NULL)
            return BUFFER_NO_MEMORY;
        self->bytes = grown;
        self->capacity = capacity;
    }
    memcpy(self->bytes + self->length, bytes, length);
    self->length += length;
    return BUFFER_OK;
}

#ifdef BUFFER_DEBUG
const char *buffer_describe(const buffer *self)
{
    return self->length == 0 ? "empty" : "full";
}
#endif

// The inner loops of training: bags of word vectors forward and backward, and the optimiser's step on rows that were touched.

#include <math.h>
#include <stdint.h>
#include <string.h>

// A batch of bags in compressed rows: bag b has the entries starts[b] to starts[b + 1] of ids and values.
typedef struct {
    const int64_t *starts;
    const int32_t *ids;
    const float *values;
    int64_t count;
} Bags;

// out[b] = sum over the entries of value * weight[id] * table[id].
void bag_forward(const float *table, const float *weight, int64_t dim, const Bags *bags, float *out) {
#pragma omp parallel for schedule(dynamic, 32)
    for (int64_t b = 0; b < bags->count; b++) {
        float *sum = out + b * dim;
        memset(sum, 0, sizeof(float) * dim);
        for (int64_t i = bags->starts[b]; i < bags->starts[b + 1]; i++) {
            const float scale = bags->values[i] * weight[bags->ids[i]];
            if (scale == 0) continue;
            const float *row = table + (int64_t)bags->ids[i] * dim;
            for (int64_t k = 0; k < dim; k++) sum[k] += scale * row[k];
        }
    }
}

// gradient[id] += value * weight[id] * upstream[b]; touched[id] = 1. Threads share out the columns, so that they never meet.
void bag_backward(const float *weight, int64_t dim, const Bags *bags, const float *upstream, float *gradient,
                  uint8_t *touched, int64_t parts) {
#pragma omp parallel for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
        const int64_t from = dim * part / parts, to = dim * (part + 1) / parts;
        for (int64_t b = 0; b < bags->count; b++) {
            const float *up = upstream + b * dim;
            for (int64_t i = bags->starts[b]; i < bags->starts[b + 1]; i++) {
                const int32_t id = bags->ids[i];
                const float scale = bags->values[i] * weight[id];
                if (scale == 0) continue;
                float *row = gradient + (int64_t)id * dim;
                for (int64_t k = from; k < to; k++) row[k] += scale * up[k];
                if (part == 0) touched[id] = 1;
            }
        }
    }
}

typedef struct {
    float *value, *gradient, *first, *second;
} Moments;

typedef struct {
    float rate, log_rate, beta1, beta2, correct1, correct2;
} Step;

static float adam(float gradient, float *first, float *second, const Step *s) {
    *first = s->beta1 * *first + (1 - s->beta1) * gradient;
    *second = s->beta2 * *second + (1 - s->beta2) * gradient * gradient;
    return *first * s->correct1 / (sqrtf(*second * s->correct2) + 1e-10f);
}

// Adam on the rows that the batch touched, and on the logarithms of their weights. Clears gradients and marks.
// With G = sum of value * weight * upstream, the gradient of log weight is the dot product of row and G.
void step_rows(Moments table, Moments log_weight, float *weight, uint8_t *touched, int64_t rows, int64_t dim, Step s) {
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t r = 0; r < rows; r++) {
        if (!touched[r]) continue;
        const int64_t at = r * dim;
        float dot = 0;
        for (int64_t k = at; k < at + dim; k++) dot += table.value[k] * table.gradient[k];
        for (int64_t k = at; k < at + dim; k++) {
            table.value[k] -= s.rate * adam(table.gradient[k], table.first + k, table.second + k, &s);
            table.gradient[k] = 0;
        }
        log_weight.value[r] -= s.log_rate * adam(dot, log_weight.first + r, log_weight.second + r, &s);
        weight[r] = expf(log_weight.value[r]);
        touched[r] = 0;
    }
}

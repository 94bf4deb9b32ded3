// Runs a network in ONNX format with ONNX Runtime (https://onnxruntime.ai, MIT licence). The library is loaded at run
// time, so the build needs neither its headers nor its library.
#ifndef CONNXRUNTIME_H
#define CONNXRUNTIME_H

#include <stddef.h>
#include <stdint.h>

typedef struct onnx_network onnx_network;

// Loads the library and the model. No threads are started, so that the process can fork afterwards and run the network
// in the child.
//
// Returns NULL on failure; then `message` contains the reason, truncated to `size` bytes.
onnx_network *onnx_open(const char *library, const char *model, char *message, size_t size);

void onnx_close(onnx_network *network);

// The value of a key of the model's metadata, to be freed with `free`; NULL if there is none.
char *onnx_metadata(onnx_network *network, const char *key);

// The version of the library, "1.32.0"; valid until the network is closed.
const char *onnx_version(const onnx_network *network);

// Runs the network on a tensor of floats with four dimensions. Returns its only output, and writes the three dimensions
// of the output to `output_shape`. Returns NULL on failure. The result is valid until the next call.
const float *onnx_run(
    onnx_network *network, const float *input, const int64_t input_shape[4], int64_t output_shape[3]);

#endif

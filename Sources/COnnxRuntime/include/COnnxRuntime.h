// A network in ONNX form, run by ONNX Runtime (https://onnxruntime.ai, MIT licence), which is opened at run time:
// the build needs neither its headers nor its library.
#ifndef CONNXRUNTIME_H
#define CONNXRUNTIME_H

#include <stddef.h>
#include <stdint.h>

typedef struct onnx_network onnx_network;

// Opens the library and loads the model, to be run on the calling thread: no threads are started, so that the process may
// fork afterwards and run the network in the child.
//
// Returns NULL on failure; then `message` holds the reason, cut to `size` bytes.
onnx_network *onnx_open(const char *library, const char *model, char *message, size_t size);

void onnx_close(onnx_network *network);

// The value of a key of the model's metadata, to be freed with `free`; NULL where there is none.
char *onnx_metadata(onnx_network *network, const char *key);

// The version of the library, "1.32.0"; valid until the network is closed.
const char *onnx_version(const onnx_network *network);

// Runs the network on one tensor of floats of four dimensions and returns its only output, of three dimensions, which are
// written to `output_shape`. The result is valid until the next call. NULL on failure.
const float *onnx_run(
    onnx_network *network, const float *input, const int64_t input_shape[4], int64_t output_shape[3]);

#endif

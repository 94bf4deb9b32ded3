#include "COnnxRuntime.h"
#include "api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct onnx_network {
    void *library;
    const struct OrtApi *api;
    const char *version;
    OrtEnv *environment;
    OrtSession *session;
    OrtMemoryInfo *memory;
    OrtAllocator *allocator;
    char *input_name;
    char *output_name;
    OrtValue *output;
};

// Whether a status is a failure. Copies its message and releases the status.
static int fails(const onnx_network *network, OrtStatus *status, char *message, size_t size) {
    if (!status) return 0;
    if (message) snprintf(message, size, "%s", network->api->GetErrorMessage(status));
    network->api->ReleaseStatus(status);
    return 1;
}

static const struct OrtApi *open_api(onnx_network *network, const char *library, char *message, size_t size) {
    network->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!network->library) {
        const char *reason = dlerror();
        snprintf(message, size, "%s", reason ? reason : library);
        return NULL;
    }
    const struct OrtApiBase *(*get_base)(void);
    *(void **)&get_base = dlsym(network->library, "OrtGetApiBase");
    const struct OrtApiBase *base = get_base ? get_base() : NULL;
    if (!base) {
        snprintf(message, size, "%s is not ONNX Runtime", library);
        return NULL;
    }
    network->version = base->GetVersionString();
    return base->GetApi(api_version);
}

// Creates a session that runs on the caller's thread only. Memory plans are disabled, because the runtime would keep
// one for each shape of input.
static int create_session(onnx_network *network, const char *model, char *message, size_t size) {
    const struct OrtApi *api = network->api;
    OrtSessionOptions *options = NULL;
    if (fails(network, api->CreateSessionOptions(&options), message, size)) return 0;
    int failed = fails(network, api->SetIntraOpNumThreads(options, 1), message, size)
        || fails(network, api->SetInterOpNumThreads(options, 1), message, size)
        || fails(network, api->SetSessionGraphOptimizationLevel(options, optimise_all), message, size)
        || fails(network, api->DisableMemPattern(options), message, size)
        || fails(network, api->CreateSession(network->environment, model, options, &network->session), message, size);
    api->ReleaseSessionOptions(options);
    return !failed;
}

static int has_one_input_and_output(onnx_network *network, char *message, size_t size) {
    const struct OrtApi *api = network->api;
    size_t inputs = 0, outputs = 0;
    if (fails(network, api->SessionGetInputCount(network->session, &inputs), message, size)
        || fails(network, api->SessionGetOutputCount(network->session, &outputs), message, size)) return 0;
    if (inputs != 1 || outputs != 1) {
        snprintf(message, size, "the model has %zu inputs and %zu outputs, not one of each", inputs, outputs);
        return 0;
    }
    return !fails(network, api->SessionGetInputName(network->session, 0, network->allocator, &network->input_name), message, size)
        && !fails(network, api->SessionGetOutputName(network->session, 0, network->allocator, &network->output_name), message, size);
}

onnx_network *onnx_open(const char *library, const char *model, char *message, size_t size) {
    if (size) message[0] = 0;
    onnx_network *network = calloc(1, sizeof *network);
    if (!network) {
        if (size) snprintf(message, size, "not enough memory");
        return NULL;
    }
    network->api = open_api(network, library, message, size);
    if (network->api
        && !fails(network, network->api->CreateEnv(logging_error, "reader", &network->environment), message, size)
        && !fails(network, network->api->GetAllocatorWithDefaultOptions(&network->allocator), message, size)
        && !fails(
            network, network->api->CreateCpuMemoryInfo(arena_allocator, memory_default, &network->memory), message, size)
        && create_session(network, model, message, size) && has_one_input_and_output(network, message, size)) {
        return network;
    }
    if (size && !message[0]) snprintf(message, size, "ONNX Runtime is too old");
    onnx_close(network);
    return NULL;
}

static void free_text(onnx_network *network, char *text) {
    if (text) fails(network, network->api->AllocatorFree(network->allocator, text), NULL, 0);
}

void onnx_close(onnx_network *network) {
    if (!network) return;
    const struct OrtApi *api = network->api;
    if (api) {
        if (network->output) api->ReleaseValue(network->output);
        free_text(network, network->input_name);
        free_text(network, network->output_name);
        if (network->memory) api->ReleaseMemoryInfo(network->memory);
        if (network->session) api->ReleaseSession(network->session);
        if (network->environment) api->ReleaseEnv(network->environment);
    }
    // No dlclose: ONNX Runtime does not support unloading.
    free(network);
}

const char *onnx_version(const onnx_network *network) { return network->version; }

char *onnx_metadata(onnx_network *network, const char *key) {
    const struct OrtApi *api = network->api;
    OrtModelMetadata *metadata = NULL;
    char *value = NULL, *copy = NULL;
    if (fails(network, api->SessionGetModelMetadata(network->session, &metadata), NULL, 0)) return NULL;
    if (!fails(network, api->ModelMetadataLookupCustomMetadataMap(metadata, network->allocator, key, &value), NULL, 0) && value) {
        copy = strdup(value);
    }
    free_text(network, value);
    api->ReleaseModelMetadata(metadata);
    return copy;
}

// Reads the dimensions of the output. Returns false unless it is a tensor of floats with three dimensions.
static int read_shape(onnx_network *network, int64_t shape[3]) {
    const struct OrtApi *api = network->api;
    OrtTensorTypeAndShapeInfo *info = NULL;
    if (fails(network, api->GetTensorTypeAndShape(network->output, &info), NULL, 0)) return 0;
    int type = 0;
    size_t dimensions = 0;
    int is_known = !fails(network, api->GetTensorElementType(info, &type), NULL, 0) && type == tensor_of_floats
        && !fails(network, api->GetDimensionsCount(info, &dimensions), NULL, 0) && dimensions == 3
        && !fails(network, api->GetDimensions(info, shape, 3), NULL, 0);
    api->ReleaseTensorTypeAndShapeInfo(info);
    return is_known;
}

const float *onnx_run(
    onnx_network *network, const float *input, const int64_t input_shape[4], int64_t output_shape[3]) {
    const struct OrtApi *api = network->api;
    if (network->output) api->ReleaseValue(network->output);
    network->output = NULL;
    size_t count = 1;
    for (int index = 0; index < 4; index++) count *= (size_t)input_shape[index];
    OrtValue *tensor = NULL;
    // The cast removes const. The runtime only reads the input.
    if (fails(
            network, api->CreateTensorWithDataAsOrtValue(
                network->memory, (void *)input, count * sizeof(float), input_shape, 4, tensor_of_floats, &tensor), NULL, 0)) {
        return NULL;
    }
    const char *input_names[1] = {network->input_name}, *output_names[1] = {network->output_name};
    const OrtValue *inputs[1] = {tensor};
    int failed = fails(
        network, api->Run(network->session, NULL, input_names, inputs, 1, output_names, 1, &network->output), NULL, 0);
    api->ReleaseValue(tensor);
    void *data = NULL;
    if (failed || !read_shape(network, output_shape)
        || fails(network, api->GetTensorMutableData(network->output, &data), NULL, 0)) {
        return NULL;
    }
    return data;
}

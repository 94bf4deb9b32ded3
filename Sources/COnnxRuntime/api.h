// The part of ONNX Runtime's C API that is called here, declared from its public documentation.
//
// `OrtGetApiBase` is the only exported function. It returns a table of functions. Their order never changes: new
// versions only append functions. Members such as `unused_8` are functions that are not called here; the number is the
// index of the first one. All named functions exist in version 5.
#ifndef CONNXRUNTIME_API_H
#define CONNXRUNTIME_API_H

#include <stddef.h>
#include <stdint.h>

enum { api_version = 5, logging_error = 3, tensor_of_floats = 1, optimise_all = 99, arena_allocator = 1, memory_default = 0 };

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtModelMetadata OrtModelMetadata;
typedef struct OrtAllocator OrtAllocator;

// Functions that return a status return NULL on success.
struct OrtApi {
    void *unused_0[2];
    const char *(*GetErrorMessage)(const OrtStatus *);
    OrtStatus *(*CreateEnv)(int level, const char *name, OrtEnv **);
    void *unused_4[3];
    OrtStatus *(*CreateSession)(const OrtEnv *, const char *path, const OrtSessionOptions *, OrtSession **);
    void *unused_8;
    OrtStatus *(*Run)(
        OrtSession *, const OrtRunOptions *, const char *const *input_names, const OrtValue *const *inputs, size_t input_count,
        const char *const *output_names, size_t output_count, OrtValue **outputs);
    OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);
    void *unused_11[6];
    OrtStatus *(*DisableMemPattern)(OrtSessionOptions *);
    void *unused_18;
    OrtStatus *(*DisableCpuMemArena)(OrtSessionOptions *);
    void *unused_20[3];
    OrtStatus *(*SetSessionGraphOptimizationLevel)(OrtSessionOptions *, int level);
    OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *, int);
    OrtStatus *(*SetInterOpNumThreads)(OrtSessionOptions *, int);
    void *unused_26[4];
    OrtStatus *(*SessionGetInputCount)(const OrtSession *, size_t *);
    OrtStatus *(*SessionGetOutputCount)(const OrtSession *, size_t *);
    void *unused_32[4];
    OrtStatus *(*SessionGetInputName)(const OrtSession *, size_t index, OrtAllocator *, char **);
    OrtStatus *(*SessionGetOutputName)(const OrtSession *, size_t index, OrtAllocator *, char **);
    void *unused_38[11];
    OrtStatus *(*CreateTensorWithDataAsOrtValue)(
        const OrtMemoryInfo *, void *data, size_t bytes, const int64_t *shape, size_t dimensions, int type, OrtValue **);
    void *unused_50;
    OrtStatus *(*GetTensorMutableData)(OrtValue *, void **);
    void *unused_52[8];
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *, int *);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *, size_t *);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *, size_t);
    void *unused_63[2];
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *, OrtTensorTypeAndShapeInfo **);
    void *unused_66[3];
    OrtStatus *(*CreateCpuMemoryInfo)(int allocator, int type, OrtMemoryInfo **);
    void *unused_70[6];
    OrtStatus *(*AllocatorFree)(OrtAllocator *, void *);
    void *unused_77;
    OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **);
    void *unused_79[13];
    void (*ReleaseEnv)(OrtEnv *);
    void (*ReleaseStatus)(OrtStatus *);
    void (*ReleaseMemoryInfo)(OrtMemoryInfo *);
    void (*ReleaseSession)(OrtSession *);
    void (*ReleaseValue)(OrtValue *);
    void *unused_97[2];
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *);
    void (*ReleaseSessionOptions)(OrtSessionOptions *);
    void *unused_101[10];
    OrtStatus *(*SessionGetModelMetadata)(const OrtSession *, OrtModelMetadata **);
    void *unused_112[4];
    OrtStatus *(*ModelMetadataLookupCustomMetadataMap)(const OrtModelMetadata *, OrtAllocator *, const char *key, char **);
    void *unused_117;
    void (*ReleaseModelMetadata)(OrtModelMetadata *);
    void *unused_119[11];
    OrtStatus *(*AddSessionConfigEntry)(OrtSessionOptions *, const char *key, const char *value);
};

struct OrtApiBase {
    const struct OrtApi *(*GetApi)(uint32_t version);
    const char *(*GetVersionString)(void);
};

#define check_index(name, index) \
    _Static_assert(offsetof(struct OrtApi, name) == (index) * sizeof(void *), "index of " #name)
check_index(GetErrorMessage, 2);
check_index(CreateSession, 7);
check_index(Run, 9);
check_index(DisableMemPattern, 17);
check_index(SetSessionGraphOptimizationLevel, 23);
check_index(SessionGetInputCount, 30);
check_index(SessionGetInputName, 36);
check_index(CreateTensorWithDataAsOrtValue, 49);
check_index(GetTensorMutableData, 51);
check_index(GetDimensionsCount, 61);
check_index(GetTensorTypeAndShape, 65);
check_index(CreateCpuMemoryInfo, 69);
check_index(GetAllocatorWithDefaultOptions, 78);
check_index(ReleaseEnv, 92);
check_index(ReleaseSessionOptions, 100);
check_index(SessionGetModelMetadata, 111);
check_index(ReleaseModelMetadata, 118);
check_index(AddSessionConfigEntry, 130);

#endif

// The part of ONNX Runtime's C API that is called here, declared from its public documentation.
//
// `OrtGetApiBase` is the only exported function. It returns a table of functions. New versions append functions to the
// table and never reorder it. The members `place_8`, `places_11` and so on fill the table at functions that are not
// called here; the number is the index of the first such function. All declared functions exist in version 5.
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
    void *places_0[2];
    const char *(*GetErrorMessage)(const OrtStatus *);
    OrtStatus *(*CreateEnv)(int level, const char *name, OrtEnv **);
    void *places_4[3];
    OrtStatus *(*CreateSession)(const OrtEnv *, const char *path, const OrtSessionOptions *, OrtSession **);
    void *place_8;
    OrtStatus *(*Run)(
        OrtSession *, const OrtRunOptions *, const char *const *input_names, const OrtValue *const *inputs, size_t input_count,
        const char *const *output_names, size_t output_count, OrtValue **outputs);
    OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);
    void *places_11[6];
    OrtStatus *(*DisableMemPattern)(OrtSessionOptions *);
    void *place_18;
    OrtStatus *(*DisableCpuMemArena)(OrtSessionOptions *);
    void *places_20[3];
    OrtStatus *(*SetSessionGraphOptimizationLevel)(OrtSessionOptions *, int level);
    OrtStatus *(*SetIntraOpNumThreads)(OrtSessionOptions *, int);
    OrtStatus *(*SetInterOpNumThreads)(OrtSessionOptions *, int);
    void *places_26[4];
    OrtStatus *(*SessionGetInputCount)(const OrtSession *, size_t *);
    OrtStatus *(*SessionGetOutputCount)(const OrtSession *, size_t *);
    void *places_32[4];
    OrtStatus *(*SessionGetInputName)(const OrtSession *, size_t index, OrtAllocator *, char **);
    OrtStatus *(*SessionGetOutputName)(const OrtSession *, size_t index, OrtAllocator *, char **);
    void *places_38[11];
    OrtStatus *(*CreateTensorWithDataAsOrtValue)(
        const OrtMemoryInfo *, void *data, size_t bytes, const int64_t *shape, size_t dimensions, int type, OrtValue **);
    void *place_50;
    OrtStatus *(*GetTensorMutableData)(OrtValue *, void **);
    void *places_52[8];
    OrtStatus *(*GetTensorElementType)(const OrtTensorTypeAndShapeInfo *, int *);
    OrtStatus *(*GetDimensionsCount)(const OrtTensorTypeAndShapeInfo *, size_t *);
    OrtStatus *(*GetDimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *, size_t);
    void *places_63[2];
    OrtStatus *(*GetTensorTypeAndShape)(const OrtValue *, OrtTensorTypeAndShapeInfo **);
    void *places_66[3];
    OrtStatus *(*CreateCpuMemoryInfo)(int allocator, int type, OrtMemoryInfo **);
    void *places_70[6];
    OrtStatus *(*AllocatorFree)(OrtAllocator *, void *);
    void *place_77;
    OrtStatus *(*GetAllocatorWithDefaultOptions)(OrtAllocator **);
    void *places_79[13];
    void (*ReleaseEnv)(OrtEnv *);
    void (*ReleaseStatus)(OrtStatus *);
    void (*ReleaseMemoryInfo)(OrtMemoryInfo *);
    void (*ReleaseSession)(OrtSession *);
    void (*ReleaseValue)(OrtValue *);
    void *places_97[2];
    void (*ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo *);
    void (*ReleaseSessionOptions)(OrtSessionOptions *);
    void *places_101[10];
    OrtStatus *(*SessionGetModelMetadata)(const OrtSession *, OrtModelMetadata **);
    void *places_112[4];
    OrtStatus *(*ModelMetadataLookupCustomMetadataMap)(const OrtModelMetadata *, OrtAllocator *, const char *key, char **);
    void *place_117;
    void (*ReleaseModelMetadata)(OrtModelMetadata *);
    void *places_119[11];
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

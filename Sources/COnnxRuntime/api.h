// The part of ONNX Runtime's C API that is called here, declared from its public documentation.
//
// `OrtGetApiBase` is the only exported function. It hands out a table of functions whose order never changes: a version
// only appends. `place_8` and `places_4` are functions that are not called here; the number is the index of the first
// one. All named functions exist in version 5.
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

#define check_place(name, place) \
    _Static_assert(offsetof(struct OrtApi, name) == (place) * sizeof(void *), "place of " #name)
check_place(GetErrorMessage, 2);
check_place(CreateSession, 7);
check_place(Run, 9);
check_place(DisableMemPattern, 17);
check_place(SetSessionGraphOptimizationLevel, 23);
check_place(SessionGetInputCount, 30);
check_place(SessionGetInputName, 36);
check_place(CreateTensorWithDataAsOrtValue, 49);
check_place(GetTensorMutableData, 51);
check_place(GetDimensionsCount, 61);
check_place(GetTensorTypeAndShape, 65);
check_place(CreateCpuMemoryInfo, 69);
check_place(GetAllocatorWithDefaultOptions, 78);
check_place(ReleaseEnv, 92);
check_place(ReleaseSessionOptions, 100);
check_place(SessionGetModelMetadata, 111);
check_place(ReleaseModelMetadata, 118);
check_place(AddSessionConfigEntry, 130);

#endif

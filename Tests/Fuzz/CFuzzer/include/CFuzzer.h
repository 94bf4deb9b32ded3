#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's entry point for programs with their own main. Calls `test_input` for each input until it is stopped.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_input)(const uint8_t *data, size_t size));

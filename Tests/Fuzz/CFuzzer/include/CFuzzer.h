#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer's own entry, for programs that keep their main: runs `one` on inputs until told to stop.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));

#pragma once
#include <sys/types.h>

/// Tries what a program that a file has taken over could try. Returns the number of the first attempt that succeeded, from
/// 1, or 0 if all were refused. Does not return if it could start another program, which then exits with 99.
///
/// `server` is the id of a process outside the confinement.
int hostile_program(pid_t server);

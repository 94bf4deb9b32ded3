#pragma once
#include <sys/types.h>

/// Tries the actions of a program that a malicious file controls. Returns the number of the first attempt that
/// succeeds, from 1, or 0 if all are refused. Exits with 99 instead of returning if it could start another program.
///
/// `server` is the id of a process outside the confinement.
int hostile_program(pid_t server);

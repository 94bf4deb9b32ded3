#pragma once
#include <errno.h>
#include <seccomp.h>

// Swift does not import macros with arguments.
static inline uint32_t seccomp_refuse(void) { return SCMP_ACT_ERRNO(EPERM); }
static inline uint32_t seccomp_refuse_with(uint16_t error) { return SCMP_ACT_ERRNO(error); }
static inline uint32_t seccomp_allow(void) { return SCMP_ACT_ALLOW; }

// Allows a call only when none of `bits` is set in its argument `index`.
static inline int seccomp_allow_without_bits(scmp_filter_ctx filter, int call, unsigned int index, uint64_t bits) {
    struct scmp_arg_cmp comparison = {index, SCMP_CMP_MASKED_EQ, bits, 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &comparison);
}

// Allows a call only when its argument `index` is `value`.
static inline int seccomp_allow_with_value(scmp_filter_ctx filter, int call, unsigned int index, uint64_t value) {
    struct scmp_arg_cmp comparison = {index, SCMP_CMP_EQ, value, 0};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &comparison);
}

// Allows a call only when the bits `mask` of its argument `index` are `value`.
static inline int seccomp_allow_with_bits(
    scmp_filter_ctx filter, int call, unsigned int index, uint64_t mask, uint64_t value) {
    struct scmp_arg_cmp comparison = {index, SCMP_CMP_MASKED_EQ, mask, value};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &comparison);
}

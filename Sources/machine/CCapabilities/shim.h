// Capabilities of a thread (capabilities(7)). Swift cannot call syscall(2) and prctl(2), which take any number of arguments.
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Keeps or drops the capabilities of `mask` for good, and puts those that are kept into effect or not. Programs that this
/// thread starts inherit no capability.
static inline void blemu_change_capabilities(unsigned mask, int keeps, int takes_effect) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_capget, &header, sets) != 0) return;
  if (!keeps) sets[0].permitted &= ~mask;
  sets[0].effective = (sets[0].effective & ~mask) | (takes_effect ? sets[0].permitted & mask : 0);
  sets[0].inheritable = sets[1].inheritable = 0;
  syscall(SYS_capset, &header, sets);
}

/// Lets a program that this thread starts have those capabilities of `mask` that this thread keeps.
static inline void blemu_lend_capabilities(unsigned mask) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &header, sets) != 0) return;
  sets[0].inheritable |= sets[0].permitted & mask;
  syscall(SYS_capset, &header, sets);
  for (int capability = 0; capability < 32; capability++)
    if (sets[0].inheritable & mask & (1u << capability)) prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
}

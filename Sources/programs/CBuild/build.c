#include "build.h"

#include <stddef.h>

const char *blemu_build(void) {
#ifdef BLEMU_BUILD
  return BLEMU_BUILD;
#else
  return NULL;
#endif
}

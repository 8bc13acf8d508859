#include "commit.h"

#include <stddef.h>

const char *blemu_commit(void) {
#ifdef BLEMU_COMMIT
  return BLEMU_COMMIT;
#else
  return NULL;
#endif
}

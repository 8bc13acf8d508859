#pragma once

/// The version and the commit from which tools/build has built the program, or NULL after another build. A target of its own, which only
/// the program uses: a new commit compiles nothing else.
const char *_Nullable blemu_build(void);

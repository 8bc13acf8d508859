#pragma once

/// A file of the page, as the program carries it.
struct page_file {
  const char *_Nonnull name;
  /// Its text in UTF-8, which ends with a zero.
  const char *_Nonnull text;
};

/// All of them; the last has the name "".
extern const struct page_file *const _Nonnull page_files;

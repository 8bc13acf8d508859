#pragma once

/// A file of the page, as the program carries it.
struct page_file {
  const char *_Nonnull name;
  /// Its text in UTF-8, which ends with a zero.
  const char *_Nonnull text;
};

/// All of them.
extern const struct page_file *const _Nonnull page_files;
extern const int page_file_count;

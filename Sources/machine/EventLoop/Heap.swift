import CGLib

/// The heap of the C library, from which Swift allocates.
package enum Heap {
  /// Returns freed blocks of 128 KiB and more to the system at once, for the rest of the run.
  ///
  /// This is glibc's initial behaviour, but when it frees the first such block, it raises the limit to that block's
  /// size and keeps up to twice that much (mallopt(3)): memory once used for a slow reader would never be returned.
  package static func keepLargeBlocksApart() { _ = mallopt(M_MMAP_THRESHOLD, 128 << 10) }
}

import CGLib

/// The heap of the C library, where all that Swift allocates lies.
package enum Heap {
  /// Lets blocks of 128 KiB and more go back to the system as soon as they are freed, once and for all.
  ///
  /// glibc begins so, too. But with the first such block that is freed it raises the limit to its size, and up to twice
  /// that much stays with the process (mallopt(3)): what has once waited for a slow reader would be kept for ever.
  package static func keepLargeBlocksApart() { _ = mallopt(M_MMAP_THRESHOLD, 128 << 10) }
}

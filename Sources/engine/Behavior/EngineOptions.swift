/// The options of an engine.
package struct EngineOptions: Hashable, Sendable {
  /// The seed of random values and walks.
  package var seed: UInt64
  /// The time at the device's start, seconds since 1970.
  package var unixTime: Int64
  /// Whether there is a log for remarks. Nothing else depends on it.
  package var makesRemarks = true
  /// Whether the log shows each frame. Nothing else depends on it.
  package var notesFrames = false

  /// By default the time is 2024-01-01 00:00:00 UTC.
  package init(seed: UInt64 = 0, unixTime: Int64 = 1_704_067_200) {
    self.seed = seed
    self.unixTime = unixTime
  }
}

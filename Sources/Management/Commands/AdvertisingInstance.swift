/// One of the advertisements that a controller sends in turn.
package struct AdvertisingInstance: Hashable, Sendable {
  /// From 1 to ``AdvertisingFeatures/maximumInstances``.
  package var number: UInt8
  package var flags: AdvertisingFlags
  /// In units of 0.625 ms; nil: the kernel chooses.
  package var interval: ClosedRange<UInt32>?
  /// AD structures; the kernel refuses anything else.
  package var data: [UInt8]
  package var scanResponse: [UInt8]

  package init(
    number: UInt8, flags: AdvertisingFlags = .connectable, interval: ClosedRange<UInt32>? = nil,
    data: [UInt8], scanResponse: [UInt8] = []
  ) {
    self.number = number
    self.flags = flags
    self.interval = interval
    self.data = data
    self.scanResponse = scanResponse
  }
}

extension AdvertisingInstance {
  /// The parameters of Add Extended Advertising Parameters.
  ///
  ///     01  01 40 00 00  00 00  00 00  A0 00 00 00  A0 00 00 00  00
  ///     instance, flags, duration, timeout, shortest and longest interval, transmit power
  ///
  /// The kernel replaces a field that is not marked in the flags by its default.
  var parameterBytes: [UInt8] {
    let flags = interval == nil ? flags : flags.union(.hasInterval)
    let (duration, timeout, power): (UInt16, UInt16, UInt8) = (0, 0, 0)
    var bytes = [number] + flags.rawValue.littleEndianBytes
    bytes += duration.littleEndianBytes + timeout.littleEndianBytes
    bytes += (interval?.lowerBound ?? 0).littleEndianBytes + (interval?.upperBound ?? 0).littleEndianBytes
    return bytes + [power]
  }
}

import Bluetooth

// LE Set Extended Advertising Data and LE Set Extended Scan Response Data (Vol 4 Part E 7.8.54, 7.8.55)
extension Controller {
  private enum Operation: UInt8 {
    case intermediate, first, last, complete, unchanged
  }

  /// Handle, operation, preference for fragments on the air, length, data.
  mutating func setExtendedData(
    _ content: WritableKeyPath<Advertiser, Advertiser.Content>, _ parameters: inout Parameters
  ) throws(HCIError) {
    let handle = try knownSet(&parameters)
    let operation = Operation(rawValue: try parameters.byte(0...4))
    _ = try parameters.flag()
    let data = try parameters.data()
    guard let operation, var set = state.advertisers[handle] else { throw .invalidParameters }
    try Self.check(set, operation, data, isResponse: content == \.scanResponse)
    try Self.apply(operation, data, to: &set[keyPath: content], limit: traits.advertisingDataSize)
    if set.activity != nil { try set.checkLength() }
    state.advertisers[handle] = set
  }

  private static func check(
    _ set: Advertiser, _ operation: Operation, _ data: [UInt8], isResponse: Bool
  ) throws(HCIError) {
    guard data.count <= 251 else { throw .invalidParameters }
    if set.activity != nil, operation != .complete, operation != .unchanged { throw .commandDisallowed }
    let takes = isResponse ? set.takesScanResponse : set.takesData
    guard takes || data.isEmpty else { throw .invalidParameters }
    if set.properties.contains(.legacy), operation != .complete && operation != .unchanged || data.count > 31
    {
      throw .invalidParameters
    }
    switch operation {
    case .first, .intermediate, .last: if data.isEmpty { throw .invalidParameters }
    case .unchanged:
      guard !isResponse, data.isEmpty, set.activity != nil, !set.data.bytes.isEmpty else {
        throw .invalidParameters
      }
    case .complete: break
    }
  }

  private static func apply(
    _ operation: Operation, _ data: [UInt8], to content: inout Advertiser.Content, limit: Int
  ) throws(HCIError) {
    switch operation {
    case .unchanged: return
    case .first: content = Advertiser.Content(bytes: data, isComplete: false)
    case .complete: content = Advertiser.Content(bytes: data)
    case .intermediate, .last:
      guard !content.isComplete else { throw .invalidParameters }
      content.bytes += data
      content.isComplete = operation == .last
    }
    guard content.bytes.count <= limit else { throw .memoryCapacityExceeded }
  }
}

extension Advertiser {
  fileprivate var takesData: Bool {
    properties.contains(.legacy)
      ? !properties.contains(.directed) : !properties.contains(.scannable)
  }

  fileprivate var takesScanResponse: Bool { properties.contains(.scannable) }

  /// Whether the packets of an advertising event fit in the interval, and those of connectable advertising, which is one packet.
  func checkLength() throws(HCIError) {
    guard !properties.contains(.legacy) else { return }
    let count = max(data.bytes.count, scanResponse.bytes.count)
    // 255 bytes without header, flags, address, set; with a target or the transmit power, less (Vol 6 Part B 2.3.4)
    let room = 245 - (target == nil ? 0 : 6) - (properties.contains(.transmitPower) ? 1 : 0)
    if properties.contains(.connectable), count > room { throw .packetTooLong }
    let microsecondsPerByte: Int64 = [8, 4, 64][Int(secondaryPHY) - 1]
    guard Int64(count) * microsecondsPerByte < interval else { throw .packetTooLong }
  }
}

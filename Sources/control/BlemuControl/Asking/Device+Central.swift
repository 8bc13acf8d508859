import BlemuJSON

extension Device {
  /// A central in memory, for a device on the loopback.
  ///
  /// What it gets from the device is in the journal: `device.expect("< FFE1 4F 4B")`. Where a fault strikes a value, what the device has
  /// sent is an event of its own: `device.expect("sent FFE1 4F 4B")`.
  ///
  /// Its methods throw ``RequestRefusal`` if the device refuses.
  public struct Central: Sendable {
    private let device: Device
    /// Its Bluetooth address.
    public let address: String

    init(of device: Device, _ address: String) { (self.device, self.address) = (device, address) }
  }

  /// A central in memory; it connects with ``Central/connect(mtu:)``.
  ///
  /// - Parameter address: further centrals need addresses of their own.
  public func central(_ address: String = "00:00:00:00:00:02") -> Central { Central(of: self, address) }

  /// Lets a central in memory do what a line of a transcript says, as in `> FFE1 41 54`. Returns the value of a read.
  ///
  /// - Throws: ``RequestRefusal`` if the device refuses.
  @discardableResult
  public func act(_ line: String, as central: String = "00:00:00:00:00:02") async throws -> [UInt8] {
    let result = try await call(.act, ["line": .string(line), "as": .string(central)])
    if let error = result["error"]?.text { throw RequestRefusal(line: line, error: error) }
    return result["value"].flatMap { Value($0).bytes } ?? []
  }
}

extension Device.Central {
  /// Connects.
  ///
  /// - Parameter mtu: ATT_MTU, bytes; by default 23, and at most the device's.
  public func connect(mtu: Int? = nil) async throws {
    try await act("connect" + (mtu.map { " mtu=\($0)" } ?? ""))
  }

  /// Disconnects.
  ///
  /// - Parameter reason: why the link ends, as in `supervision-timeout`; nil: the central ends it.
  public func disconnect(reason: String? = nil) async throws {
    try await act("disconnect" + (reason.map { " reason=\($0)" } ?? ""))
  }

  /// Subscribes to the notifications or indications of a characteristic.
  public func subscribe(to characteristic: String) async throws {
    try await act("subscribe \(characteristic)")
  }

  /// Ends the subscription to a characteristic.
  public func unsubscribe(from characteristic: String) async throws {
    try await act("unsubscribe \(characteristic)")
  }

  /// Writes to a characteristic, or to a descriptor (`FFE1/2901`).
  ///
  /// - Parameter withResponse: true: a write request; false: a command; nil: a request where the characteristic takes one.
  public func write(
    _ content: Device.Content, to attribute: String, withResponse: Bool? = nil
  ) async throws {
    let arrow = withResponse.map { $0 ? ">?" : ">!" } ?? ">"
    try await act("\(arrow) \(attribute) \(content.words)")
  }

  /// Returns the value of a characteristic or descriptor.
  public func read(_ attribute: String) async throws -> [UInt8] { try await act("read \(attribute)") }

  /// Pairs.
  public func pair() async throws { try await act("pair") }

  /// Pairs, and keeps the keys for the next connections.
  public func bond() async throws { try await act("bond") }

  /// Loses the keys of its bond with the device, as a phone whose user forgets the device: it pairs anew.
  public func unpair() async throws { try await act("unpair") }

  /// Does what a line of a transcript says, as in `> FFE1 41 54`. Returns the value of a read.
  @discardableResult
  public func act(_ line: String) async throws -> [UInt8] { try await device.act(line, as: address) }
}

/// The device refuses what a central in memory does.
public struct RequestRefusal: Error, Hashable, Sendable {
  /// What the central did.
  public var line: String
  /// The name of the ATT error, or why pairing failed, as in `write-not-permitted`.
  public var error: String
}

extension RequestRefusal: CustomStringConvertible {
  public var description: String { "the device refuses '\(line)': \(error)" }
}

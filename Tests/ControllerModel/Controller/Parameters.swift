import Bluetooth

/// Takes the parameters of a command one after the other, and throws Invalid HCI Command Parameters where there is none or where
/// it is out of range.
struct Parameters {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = Array(bytes)[...] }

  mutating func bytes(_ count: Int) throws(HCIError) -> [UInt8] {
    guard rest.count >= count else { throw .invalidParameters }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func byte(_ range: ClosedRange<UInt8> = 0...0xFF) throws(HCIError) -> UInt8 {
    let byte = try bytes(1)[0]
    guard range.contains(byte) else { throw .invalidParameters }
    return byte
  }

  mutating func flag() throws(HCIError) -> Bool { try byte(0...1) == 1 }

  mutating func number(_ range: ClosedRange<UInt16> = 0...0xFFFF) throws(HCIError) -> UInt16 {
    let pair = try bytes(2)
    let number = UInt16(pair[0], pair[1])
    guard range.contains(number) else { throw .invalidParameters }
    return number
  }

  /// A number of `count` bytes, the least significant first.
  mutating func wide(_ count: Int) throws(HCIError) -> UInt64 {
    try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func address() throws(HCIError) -> DeviceAddress {
    guard let address = DeviceAddress(try bytes(6).reversed()) else { throw .invalidParameters }
    return address
  }

  /// A type of at most `types`, and an address. The types 2 and 3 are those of identities.
  mutating func linkAddress(types: UInt8 = 1) throws(HCIError) -> LinkAddress {
    let type = try byte(0...types)
    return LinkAddress(try address(), type & 1 == 0 ? .public : .random)
  }

  /// The end of parameters of any length.
  func end() throws(HCIError) {
    guard rest.isEmpty else { throw .invalidParameters }
  }

  /// A length, and as many bytes, which are the last.
  mutating func data() throws(HCIError) -> [UInt8] {
    let data = try bytes(Int(byte()))
    try end()
    return data
  }
}

extension HCIError {
  static let connectionAlreadyExists = Self(rawValue: 0x0B)
  static let unspecified = Self(rawValue: 0x1F)
  static let responseTimeout = Self(rawValue: 0x22)
  static let advertisingTimeout = Self(rawValue: 0x3C)
  static let keyMissing = Self(rawValue: 0x06)
  static let failedToEstablish = Self(rawValue: 0x3E)
}

extension LinkAddress {
  /// The type, and the address, the least significant byte first.
  var bytes: [UInt8] { [kind == .public ? 0 : 1] + address.littleEndianBytes }
}

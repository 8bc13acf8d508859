public import Foundation

/// A UUID of Bluetooth: of 16, 32 or 128 bits. It never changes, so that all may share it.
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
  /// Its bytes, as many as it was made of, in the order of the text.
  public let data: Data

  /// - Parameter theString: 4, 8 or 36 characters, as in `FFE0`.
  public init(string theString: String) {
    guard let data = Self.data(of: theString) else {
      fatalError("'\(theString)' does not represent a valid UUID")
    }
    self.data = data
  }

  /// - Parameter theData: 2, 4 or 16 bytes.
  public init(data theData: Data) {
    precondition([2, 4, 16].contains(theData.count), "a UUID has 2, 4 or 16 bytes, not \(theData.count)")
    data = Data(theData)
  }

  public init(nsuuid theUUID: UUID) { data = withUnsafeBytes(of: theUUID.uuid) { Data($0) } }

  /// The shortest text of its bytes, in capitals: `FFE0`.
  open var uuidString: String {
    let digits = data.hex(separator: "")
    guard data.count == 16 else { return digits }
    var rest = digits[...]
    return [8, 4, 4, 4, 12].map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  open override var description: String { uuidString }
  open override var hash: Int { whole.hashValue }

  /// A short UUID equals the long one that it stands for.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.whole == whole }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// All 128 bits (Core Specification, Vol 3, Part B, 2.5.1).
  private var whole: Data {
    data.count == 16
      ? data
      : Data(repeating: 0, count: 4 - data.count) + data
        + Data([0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB])
  }

  private static func data(of text: String) -> Data? {
    switch text.utf8.count {
    // iOS takes this prefix, too.
    case 6 where text.lowercased().hasPrefix("0x"): Data(hex: String(text.dropFirst(2)))
    case 4, 8: Data(hex: text)
    case 36: UUID(uuidString: text).map { uuid in withUnsafeBytes(of: uuid.uuid) { Data($0) } }
    default: nil
    }
  }
}

public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
public let CBUUIDCharacteristicUserDescriptionString = "2901"
public let CBUUIDClientCharacteristicConfigurationString = "2902"
public let CBUUIDServerCharacteristicConfigurationString = "2903"
public let CBUUIDCharacteristicFormatString = "2904"
public let CBUUIDCharacteristicAggregateFormatString = "2905"
public let CBUUIDCharacteristicValidRangeString = "2906"
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"

extension Data {
  /// - Parameter hex: digits in pairs, perhaps with spaces between them.
  init?(hex: String) {
    let digits = hex.filter { $0 != " " }.map(\.hexDigitValue)
    guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
    self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0]! << 4 | digits[$0 + 1]!) })
  }

  func hex(separator: String = " ") -> String {
    map { String(format: "%02X", $0) }.joined(separator: separator)
  }
}

import Bluetooth
import Definitions
import Framing

/// `advertises local-name="Demo" services=FFE0,180F manufacturer-data=4D48:50**...`
extension LineParser {
  private typealias Field = AdvertisementPattern.Field

  private static let names = [
    "set", "local-name", "services", "manufacturer-data", "service-data", "tx-power", "appearance",
    "discoverable",
    "connectable", "interval", "raw", "bytes", "address",
  ]

  func advertisement(_ words: inout Words) throws(Diagnostic) -> AdvertisementPattern {
    var pattern = AdvertisementPattern(fields: [])
    while let token = words.next() {
      if token.name == "set" {
        pattern.set = try setName(token, words)
      } else {
        pattern.fields.append(try field(token, words))
      }
    }
    return pattern
  }

  private func field(_ token: Token, _ words: Words) throws(Diagnostic) -> Field {
    guard let name = token.name else { throw words.error(.notAdvertisementField, at: token.range) }
    switch name {
    case "local-name": return .localName(try localName(token, words))
    case "services": return .services(try services(token, words))
    case "manufacturer-data":
      let (key, pattern) = try keyed(token, words, .company) { Self.number($0, digits: 4) }
      return .manufacturerData(CompanyIdentifier(key), pattern)
    case "service-data":
      let (uuid, pattern) = try keyed(token, words, .service) { BluetoothUUID($0) }
      return .serviceData(uuid, pattern)
    case "raw":
      let (type, pattern) = try keyed(token, words, .adType) { Self.number($0, digits: 2) }
      return .raw(UInt8(type), pattern)
    case "bytes":
      guard case .word(let word) = token.content else { throw words.error(.halfByte, at: token.contentRange) }
      var pattern = BytePattern()
      try append(word, token.contentRange, to: &pattern, words)
      return .bytes(pattern)
    case "tx-power": return .txPower(try number(token, words))
    case "appearance": return .appearance(try number(token, words))
    case "interval": return .interval(try interval(token, words))
    case "address":
      guard let address = token.text.flatMap(AdvertisementPattern.Address.init) else {
        throw words.error(.notAddress, at: token.contentRange)
      }
      return .address(address)
    case "discoverable": return .discoverable(try flag(token, words))
    case "connectable": return .connectable(try flag(token, words))
    default:
      throw words.error(
        .unknownAdvertisementField(name, known: Array(Self.names.dropFirst())), at: token.nameRange)
    }
  }

  private func setName(_ token: Token, _ words: Words) throws(Diagnostic) -> String {
    let template = definition.advertisement
    let names = template.furtherSets.map(\.name) + template.crowdNames
    guard let name = token.text, names.contains(name) else {
      throw words.error(.unknownSet(token.text ?? "", known: names), at: token.contentRange)
    }
    return name
  }

  private func localName(_ token: Token, _ words: Words) throws(Diagnostic) -> String? {
    if token.content == .word("*") { return nil }
    guard let text = token.text else { throw words.error(.notUTF8, at: token.contentRange) }
    return text
  }

  private func services(_ token: Token, _ words: Words) throws(Diagnostic) -> [BluetoothUUID] {
    let parts = (token.text ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let uuids = parts.compactMap { service(String($0)) }
    guard uuids.count == parts.count else {
      throw words.error(.notUUIDs(known: definition.services.map(\.id)), at: token.contentRange)
    }
    return uuids
  }

  /// By its UUID, or by its id, which stands for its UUID with the initial settings.
  private func service(_ name: String) -> BluetoothUUID? {
    BluetoothUUID(name)
      ?? definition.services.first { $0.id == name }
      .flatMap { try? $0.uuid.resolved(in: definition.initialContext) }
  }

  /// `4D48:50**...`
  private func keyed<Key>(
    _ token: Token, _ words: Words, _ form: Mistake.AdvertisedKey, _ key: (String) -> Key?
  ) throws(Diagnostic) -> (Key, BytePattern) {
    guard case .word(let word) = token.content, let colon = word.firstIndex(of: ":"),
      let key = key(String(word[..<colon]))
    else {
      throw words.error(.notKeyed(form), at: token.contentRange)
    }
    var pattern = BytePattern()
    try append(String(word[colon...].dropFirst()), token.contentRange, to: &pattern, words)
    return (key, pattern)
  }

  private static func number(_ text: String, digits: Int) -> UInt16? {
    text.utf8.count == digits && text.utf8.allSatisfy(\.isHexDigit) ? UInt16(text, radix: 16) : nil
  }

  private func number<Number: FixedWidthInteger>(
    _ token: Token, _ words: Words
  ) throws(Diagnostic) -> Number {
    if let number = token.text.flatMap(IntegerText.parse).flatMap({ Number(exactly: $0) }) { return number }
    throw words.error(.notNumber(least: Int(Number.min), most: Int(Number.max)), at: token.contentRange)
  }

  /// `100ms` or `100ms-200ms`
  private func interval(_ token: Token, _ words: Words) throws(Diagnostic) -> ClosedRange<AdvertisingInterval>
  {
    let ends = (token.text ?? "").split(separator: "-", omittingEmptySubsequences: false).compactMap { text in
      DurationText.parse(String(text)).flatMap { AdvertisingInterval(milliseconds: Double($0)) }
    }
    guard let min = ends.first, let max = ends.last, ends.count <= 2, min <= max else {
      throw words.error(.notInterval, at: token.contentRange)
    }
    return min...max
  }

  private func flag(_ token: Token, _ words: Words) throws(Diagnostic) -> Bool {
    if let flag = token.text.flatMap({ Bool($0) }) { return flag }
    throw words.error(.notFlag, at: token.contentRange)
  }
}

import Bluetooth
import DeviceModel

// The device's own addresses.
extension AdvertisementDecoder {
  func ownAddress(_ node: Node<Language.PrivateAddress>) -> AddressTemplate? {
    if let word = node.word { return ownAddress(word) }
    let isResolvable = node.kind?.text == "resolvable"
    if !isResolvable, node.kind?.text == "non-resolvable", let place = node.identity ?? node.key {
      log.error(.hasNoIdentity, at: place.range)
    }
    let period = period(node)
    guard isResolvable else { return .nonResolvable(period: period) }
    let identity = node.identity.map { fixedAddress($0, or: Mistake.notIdentity) } ?? .derived
    let key = node.key.flatMap(addressReader.bytes)
    return identity.map { .resolvable(identity: $0, key: key, period: period) }
  }

  private func ownAddress(_ text: Scalar) -> AddressTemplate? {
    switch text.text {
    case "resolvable": .resolvable(identity: .derived, key: nil, period: AddressScheme.usualPeriod)
    case "non-resolvable": .nonResolvable(period: AddressScheme.usualPeriod)
    case let other where other.contains("{"): addressReader.bytes(text).map { .computed($0) }
    default:
      fixedAddress(text) { .notOwnAddress($0, isName: reader.names.values.names.contains($0)) }.map {
        .fixed($0)
      }
    }
  }

  private func fixedAddress(_ text: Scalar, or mistake: (String) -> Mistake) -> OwnAddress? {
    let address = OwnAddress(text.text)
    if address == nil { log.error(mistake(text.text), at: text.range) }
    return address
  }

  /// A controller takes 1 s at least (Core Specification, Vol 4 Part E 7.8.45).
  private func period(_ node: Node<Language.PrivateAddress>) -> Duration {
    guard let place = node.every, let milliseconds = log.duration(place) else {
      return AddressScheme.usualPeriod
    }
    if milliseconds < 1000 { log.error(.addressTooOften, at: place.range) }
    return .milliseconds(milliseconds)
  }

  /// The device's address cannot depend on itself.
  private var addressReader: TextReader {
    TextReader(reader.names.without(.address).adding([.adapter]), log)
  }
}

import Bluetooth
import DeviceModel

// The centrals that may connect, the channels and the PHY.
extension AdvertisementDecoder {
  func readType(_ node: Node<Language.Advertisement>, into advertisement: inout AdvertisementTemplate) {
    if let type = node.type?.text {
      advertisement.isConnectable = .constant(.boolean(type == "connectable"))
      advertisement.isScannable = type == "connectable" ? nil : type == "scannable"
    }
    if let directed = node.directed { readTarget(directed, into: &advertisement) }
    if !node.channels.isEmpty { advertisement.channels = channels(node.channels) }
    advertisement.phy = node.phy.flatMap { AdvertisingPHY(rawValue: $0.text) }
  }

  /// Only a connectable device can advertise to one central.
  private func readTarget(
    _ node: Node<Language.Directed>, into advertisement: inout AdvertisementTemplate
  ) {
    advertisement.isConnectable = .constant(.boolean(true))
    guard let address = (node.word ?? node.to).flatMap(address) else { return }
    let kind: LinkAddress.Kind = node.kind?.text == "random" ? .random : .public
    guard let place = node.condition else {
      advertisement.target = .init(content: (address, kind))
      return
    }
    advertisement.target = condition(place).map { .init(content: (address, kind), condition: $0) }
  }

  /// The centrals that may connect.
  func accepted(_ link: Node<Language.Link>?) -> [Part<AcceptedCentral>]? {
    guard let link, !link.accept.isEmpty else { return nil }
    var template = AdvertisementTemplate()
    template.accepted = link.accept.compactMap { node in part(node) { central($0) } }
    check(template) { error, circumstance in
      let place = link.place(of: Language.Link.outline.keys.accept.name)
      guard let error = error as? AdvertisementValueError else {
        return log.error(.noBytes(error, circumstance: circumstance), at: place)
      }
      log.error(.badValue(error, circumstance: circumstance), at: place)
    }
    return template.accepted
  }

  private func central(_ text: Scalar) -> AcceptedCentral? {
    switch text.text {
    case "any": return .any
    case "bonded": return .bonded
    case let other where other.allSatisfy(\.isLetter) && !other.allSatisfy(\.isHexDigit):
      log.error(.unknownWord(other, known: ["bonded", "any"]), at: text.range)
      return nil
    default: break
    }
    return address(text).map { .address($0) }
  }

  /// An address as people write it, or a template of its bytes.
  private func address(_ text: Scalar) -> ValueTemplate? {
    guard let address = DeviceAddress(text.text) else { return reader.bytes(text) }
    let digits = address.description.filter { $0 != ":" }
    return try? ValueTemplate.bytes(digits, in: reader.names)
  }

  private func channels(_ numbers: [Scalar]) -> AdvertisingChannels {
    var channels: AdvertisingChannels = []
    for number in numbers {
      guard let index = Int(number.text), AdvertisingChannels.indices.contains(index) else { continue }
      if channels.contains(.channel(index)) {
        log.error(.secondChannel(index), at: number.range)
      }
      channels.formUnion(.channel(index))
    }
    return channels
  }
}

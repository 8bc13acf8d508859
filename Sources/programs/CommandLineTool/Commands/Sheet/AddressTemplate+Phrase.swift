import Bluetooth
import DeviceModel
import Framing

extension AddressTemplate {
  /// In a list, and in a comparison.
  var phrase: String {
    switch self {
    case .fixed(let address): address.phrase
    case .computed(let template): "static random, \(template.source)"
    case .nonResolvable(let period): "non-resolvable private, changes every \(Self.words(period))"
    case .resolvable(let identity, let key, let period):
      "resolvable private, changes every \(Self.words(period)); identity address: \(identity.phrase)"
        + (key == nil ? "" : ", with a key of its own")
    }
  }

  /// As in a definition.
  var word: String {
    switch self {
    case .fixed(let address): address.description
    case .computed(let template): template.source
    case .nonResolvable: "non-resolvable"
    case .resolvable: "resolvable"
    }
  }

  private static func words(_ period: Duration) -> String {
    let milliseconds = period.wholeMilliseconds
    if milliseconds.isMultiple(of: 60_000) { return "\(milliseconds / 60_000) min" }
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}

extension OwnAddress {
  fileprivate var phrase: String {
    switch self {
    case .adapter: "the adapter's"
    case .derived: "static random, always the same on an adapter"
    case .given(let address): "\(address), static random"
    }
  }
}

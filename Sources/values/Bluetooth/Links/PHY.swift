/// How a link modulates its packets (Core Specification, Vol 4 Part E 7.7.65.12).
package enum PHY: UInt8, Hashable, Sendable, CustomStringConvertible {
  case le1M = 1
  case le2M = 2
  case leCoded = 3

  /// The word of a definition file.
  package var word: String {
    switch self {
    case .le1M: "1M"
    case .le2M: "2M"
    case .leCoded: "coded"
    }
  }

  /// Reads a ``word``.
  package init?(word: some StringProtocol) {
    guard let phy = [Self.le1M, .le2M, .leCoded].first(where: { $0.word == word }) else { return nil }
    self = phy
  }

  /// The words of all.
  package static let words = [Self.le1M, .le2M, .leCoded].map(\.word)

  package var description: String {
    switch self {
    case .le1M: "LE 1M"
    case .le2M: "LE 2M"
    case .leCoded: "LE Coded"
    }
  }
}

/// How a link modulates its packets (Core Specification, Vol 4 Part E 7.7.65.12).
package enum PHY: UInt8, Hashable, Sendable, CustomStringConvertible {
  case le1M = 1
  case le2M = 2
  case leCoded = 3

  package var description: String {
    switch self {
    case .le1M: "LE 1M"
    case .le2M: "LE 2M"
    case .leCoded: "LE Coded"
    }
  }
}

/// A part of advertising data or scan response data, which may be too long for one command.
package struct AdvertisingFragment: Hashable, Sendable {
  package enum Position: UInt8, Sendable {
    case middle, first, last, only
  }

  package var position: Position
  package var bytes: [UInt8]

  /// The most bytes of a fragment.
  static let capacity = 251
}

extension AdvertisingFragment {
  /// The fragments of data, in order.
  package static func fragments(of data: [UInt8]) -> [Self] {
    let starts = Array(stride(from: 0, to: max(1, data.count), by: capacity))
    return starts.map { start in
      let bytes = Array(data[start..<min(start + capacity, data.count)])
      let (isFirst, isLast) = (start == 0, start == starts.last)
      return Self(position: isFirst ? (isLast ? .only : .first) : (isLast ? .last : .middle), bytes: bytes)
    }
  }
}

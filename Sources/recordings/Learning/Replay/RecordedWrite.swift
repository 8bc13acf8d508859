import Bluetooth
import Framing

/// A request that the device granted, and the values that it sent up to the next one.
struct RecordedWrite {
  var conversation: Int
  var time: Instant
  /// Of the characteristic's value.
  var handle: AttributeHandle
  var bytes: [UInt8]
  var answers: [[UInt8]] = []

  /// In order. The check bytes of answers are zeros.
  ///
  /// - Parameter checks: that the values of characteristics have, by their handles.
  static func all(
    in conversations: [Conversation], _ table: ObservedTable, _ checks: [AttributeHandle: CheckField]
  ) -> [Self] {
    var writes: [Self] = []
    for (index, conversation) in conversations.enumerated() {
      var subscribed: Set<AttributeHandle> = []
      for exchange in conversation.exchanges {
        switch exchange.kind {
        case .write(_, _, .refused), .read: break
        case .value(let value, _):
          guard writes.last?.conversation == index else { break }
          let check = checks[exchange.handle].flatMap { value.has($0) ? $0 : nil }
          writes[writes.count - 1].answers.append(check.map(value.without) ?? value)
        case .write:
          guard case .write(let bytes, let handle)? = RecordedTrigger(exchange, table, &subscribed) else {
            break
          }
          writes.append(Self(conversation: index, time: exchange.time, handle: handle, bytes: bytes))
        }
      }
    }
    return writes
  }
}

extension [UInt8] {
  /// Where the check bytes are.
  func places(of check: CheckField) -> Range<Int> { (count - check.size)..<(count - check.trailing) }

  /// With zeros in place of the check bytes.
  fileprivate func without(_ check: CheckField) -> Self { with(zerosAt: Set(places(of: check))) }

  func with(zerosAt places: Set<Int>) -> Self {
    var bytes = self
    for place in places where indices.contains(place) { bytes[place] = 0 }
    return bytes
  }
}

extension StreamAnalysis {
  /// The checksum of values that are frames by themselves; nil: they have none, or what is on the air is encoded.
  var checkOfValues: CheckField? { encoding == nil ? check : nil }
}

import Bluetooth
import DeviceModel
import Framing
import Learning

extension [Conversation] {
  /// The conversations with the values of some characteristics joined to plain frames, as a central joins them: how a device
  /// cuts a frame into values depends on the link. Frames that a message of the device makes up together are one.
  func joined(by cuts: [AttributeHandle: StreamCut], for definition: PeripheralDefinition) -> Self {
    cuts.isEmpty ? self : map { $0.joined(by: cuts).joined(by: definition.recognizableMessages) }
  }
}

extension Conversation {
  fileprivate func joined(by cuts: [AttributeHandle: StreamCut]) -> Self {
    var framers = cuts.mapValues { Framer($0.framing) }
    var joined = self
    joined.exchanges = []
    for exchange in exchanges {
      guard let value = exchange.value, framers[exchange.handle] != nil,
        case .value(_, let delivery) = exchange.kind
      else {
        joined.exchanges.append(exchange)
        continue
      }
      let encoding = cuts[exchange.handle]?.encoding
      let plain = encoding?.plain(value: value) ?? value
      for output in framers[exchange.handle]?.append(plain, at: exchange.time) ?? [] {
        guard let frame = output.frame(encoding) else { continue }
        joined.exchanges.append(
          Exchange(.value(frame, delivery), handle: exchange.handle, at: exchange.time))
      }
    }
    return joined
  }

  fileprivate func joined(by messages: [MessageTemplate]) -> Self {
    var joined = self
    joined.exchanges = []
    for exchange in exchanges {
      if let last = joined.exchanges.last, last.handle == exchange.handle, let start = last.value,
        let end = exchange.value, case .value(_, let delivery) = exchange.kind,
        messages.contains(where: { $0.isWhole(start + end) })
      {
        joined.exchanges[joined.exchanges.count - 1].kind = .value(start + end, delivery)
      } else {
        joined.exchanges.append(exchange)
      }
    }
    return joined
  }

  /// The conversation with the plain frames that the central writes to some characteristics.
  func decoded(by encodings: [AttributeHandle: StreamEncoding]) -> Self {
    var framers = encodings.mapValues { Framer($0.framing ?? .raw) }
    var decoded = self
    decoded.exchanges = exchanges.flatMap { exchange -> [Exchange] in
      guard case .write(let value, let kind, let outcome) = exchange.kind,
        let encoding = encodings[exchange.handle]
      else { return [exchange] }
      let plain = encoding.plain(value: value)
      let outputs = framers[exchange.handle]?.append(plain, at: exchange.time) ?? []
      return outputs.compactMap { $0.frame(encoding) }.map { frame in
        Exchange(
          .write(frame, kind, outcome), handle: exchange.handle, at: exchange.time,
          answered: exchange.answered)
      }
    }
    return decoded
  }
}

extension FramerOutput {
  /// The plain frame, or the bytes that are in none; nil: an empty frame between two delimiters.
  fileprivate func frame(_ encoding: StreamEncoding?) -> [UInt8]? {
    switch self {
    case .frame(let bytes) where encoding != nil: bytes.isEmpty ? nil : encoding?.plain(frame: bytes) ?? bytes
    case .frame(let bytes), .discarded(let bytes, _): bytes
    }
  }
}

extension MessageTemplate {
  /// Whether the bytes are the message, which has one size.
  fileprivate func isWhole(_ bytes: [UInt8]) -> Bool {
    minimumSize == bytes.count && maximumSize == bytes.count && parse(bytes) != nil
  }
}

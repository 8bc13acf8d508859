import Bluetooth
import DefinitionWriter
import Framing

extension ModelWriter {
  /// Adds the framing of streams: of what a central writes, and of what a characteristic sends that cannot be written.
  mutating func addFraming(_ streams: Set<Int>) {
    let analyses = streams.sorted().map { model.streams[$0] }
    for id in analyses.map(\.stream.id).unique {
      let ofPlace = analyses.filter { $0.stream.id == id }
      let received = ofPlace.first { $0.stream.direction == .fromCentral }
      let sent = ofPlace.first { $0.stream.direction == .fromDevice }
      guard let main = received ?? sent else { continue }
      let formats = main.framing.flatMap { try? DefinitionWriter.formats($0, at: id) } ?? []
      let coding = Self.coding(
        received: received?.encoding ?? (received == nil ? sent?.encoding : nil), sent: sent?.encoding)
      guard !formats.isEmpty || !coding.isEmpty else { continue }
      let mappings = (formats.isEmpty ? [[]] : formats).map { YAMLValue.object($0 + coding, .compact) }
      definition.framing.append(.init(id, mappings.count == 1 ? mappings[0] : .list(mappings, .block)))
    }
  }

  private static func coding(
    received: StreamAnalysis.Encoding?, sent: StreamAnalysis.Encoding?
  ) -> [YAMLValue.Entry] {
    [received?.decoder, sent?.encoder].compactMap { part in
      part.map { YAMLValue.Entry($0.key, .text($0.expression)) }
    }
  }
}

extension StreamAnalysis.Encoding {
  fileprivate var decoder: (key: String, expression: String) {
    switch self {
    case .xor(let key): ("decode", "xor(value, bytes('\(HexText.format(key))'))")
    case .slip: ("decode-frame", "unslip(frame)")
    case .escape(let byte, let mask, _): ("decode-frame", "unescape(frame, \(byte), \(mask))")
    }
  }

  fileprivate var encoder: (key: String, expression: String) {
    switch self {
    case .xor(let key): ("encode", "xor(value, bytes('\(HexText.format(key))'))")
    case .slip: ("encode-frame", "slip(frame)")
    case .escape(let byte, let mask, let special):
      ("encode-frame", "escape(frame, \(byte), bytes('\(HexText.format(special))'), \(mask))")
    }
  }
}

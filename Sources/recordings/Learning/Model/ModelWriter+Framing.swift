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
      let coding = [
        (received ?? main).encoding?.decoder, (sent ?? main).encoding?.encoder(in: main.framing),
      ].compactMap(\.self)
      guard !formats.isEmpty || !coding.isEmpty else { continue }
      let mappings = (formats.isEmpty ? [[]] : formats).map { YAMLValue.object($0 + coding, .compact) }
      definition.framing.append(.init(id, mappings.count == 1 ? mappings[0] : .list(mappings, .block)))
    }
  }
}

extension StreamEncoding {
  fileprivate var decoder: YAMLValue.Entry {
    switch self {
    case .xor: .init("decode", .text(expression(of: "value")))
    case .slip: .init("decode-frame", .text("unslip(frame)"))
    case .stuffed: .init("decode-frame", .text("unescape(frame, 0x7D, 0x20)"))
    }
  }

  /// - Parameter framing: of the characteristic. Only where it has the delimiter, a frame gets it by itself.
  fileprivate func encoder(in framing: FramingRule?) -> YAMLValue.Entry {
    switch (self, delimiter) {
    case (.slip(let isOpened), let delimiter?), (.stuffed(_, let isOpened), let delimiter?):
      let end = "bytes('\(HexText.format([delimiter]))')"
      let start = isOpened ? "\(end) + " : ""
      return framing?.shape == self.framing?.shape
        ? .init("encode-frame", .text(start + expression(of: "frame")))
        : .init("encode", .text("\(start)\(expression(of: "value")) + \(end)"))
    default: return .init("encode", .text(expression(of: "value")))
    }
  }

  private func expression(of plain: String) -> String {
    switch self {
    case .xor(let key): "xor(\(plain), bytes('\(HexText.format(key))'))"
    case .slip: "slip(\(plain))"
    case .stuffed(let special, _): "escape(\(plain), 0x7D, bytes('\(HexText.format(special))'), 0x20)"
    }
  }
}

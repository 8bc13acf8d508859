import DeviceModel
import Framing

// Fields of which requests determine a part only.
extension FieldSources {
  /// The longest part that is looked for.
  private static let longest = 16

  /// The parts of a field that requests determine, where they do not determine all of it.
  ///
  /// - Parameter isOpen: for each byte of the message, whether requests may determine it.
  func pieces(of place: MessageLayout.Place, _ id: MessageID, _ isOpen: [Bool], _ model: Model)
    -> [MessageLayout.Place]
  {
    guard case .fromStart(let start) = place.position, let width = place.width, width > 1,
      start + width <= isOpen.count
    else { return [] }
    let frames = model.sent(id).map(model.frame)
    let varies = (start..<start + width).map { offset in frames.contains { $0[offset] != frames[0][offset] } }
    // The last of several digits may be the same in all of them.
    let isText = place.meaning == .text
    var (pieces, offset) = ([MessageLayout.Place](), start)
    while offset < start + width {
      let room = isOpen[offset..<start + width].prefix(Self.longest).prefix { $0 }.count
      let piece = stride(from: room, to: 0, by: -1).lazy
        .filter { varies[offset - start] && (isText || varies[offset - start + $0 - 1]) && $0 < width }
        .map { MessageLayout.Place(at: offset, width: $0, like: place) }
        .first { isDetermined($0, id, model) }
      if let piece { pieces.append(piece) }
      offset += piece?.width ?? 1
    }
    return pieces
  }

  private func isDetermined(_ place: MessageLayout.Place, _ id: MessageID, _ model: Model) -> Bool {
    let isEchoed = model.reactions.contains { reaction in
      guard case .request(let request) = reaction.cause else { return false }
      return echo(of: place, model.pairs(of: id, in: reaction), request, model) != nil
    }
    return isEchoed || state(of: place, id, model) != nil
  }

  /// For each byte that all frames of a message have, whether requests may determine it: it does not change without one, or it
  /// is the same in all answers to the same request.
  func openOffsets(of id: MessageID, _ model: Model) -> [Bool] {
    let sent = model.sent(id)
    let frames = sent.map(model.frame)
    let size = frames.map(\.count).min() ?? 0
    var isState = Array(repeating: true, count: size)
    let writes = written.flatMap(\.writes).sorted { $0.place < $1.place }
    let places = sent.map { model.place(of: $0.frame, id.stream) }
    var index = 0
    for (before, after) in zip(sent.indices, sent.indices.dropFirst()) {
      while index < writes.count, writes[index].place < places[after] { index += 1 }
      let last = index > 0 ? writes[index - 1] : nil
      if let last, last.place > places[before] || last.time.duration(to: sent[after].start) < ShownValues.lag
      {
        continue
      }
      for offset in 0..<size where frames[before][offset] != frames[after][offset] { isState[offset] = false }
    }
    var isEcho = Array(repeating: false, count: size)
    for reaction in model.reactions {
      var (known, isSame) = ([[UInt8]: [UInt8]](), Array(repeating: true, count: size))
      let pairs = model.pairs(of: id, in: reaction)
      for pair in pairs {
        guard let earlier = known.updateValue(pair.answer, forKey: pair.request) else { continue }
        for offset in 0..<size where earlier[offset] != pair.answer[offset] { isSame[offset] = false }
      }
      if known.count > 1 { for offset in 0..<size where isSame[offset] { isEcho[offset] = true } }
    }
    return zip(isState, isEcho).map { $0 || $1 }
  }
}

extension MessageLayout.Place {
  /// Bytes from an offset on, as a part of a field.
  init(at offset: Int, width: Int, like whole: Self) {
    let meaning: LearntField.Meaning = whole.meaning == .text ? .text : .bytes
    let name = "\(width == 1 ? "byte" : "bytes")-\(offset)"
    self.init(
      name: name, type: width == 1 ? .integer(width: 1, .littleEndian, isSigned: false) : .bytes(width),
      position: .fromStart(offset), width: width, meaning: meaning)
  }
}

extension Model {
  /// Makes several fields of one: some parts, and what is between them.
  mutating func split(_ id: MessageID, _ index: Int, _ pieces: [MessageLayout.Place]) {
    guard let whole = layouts[id]?.places[index], case .fromStart(let start) = whole.position,
      let width = whole.width
    else { return }
    let frames = frames(of: id)
    var (parts, places) = ([LearntMessage.Part](), [MessageLayout.Place]())
    func addField(_ place: MessageLayout.Place) {
      places.append(place)
      parts.append(.field(LearntField(place.name, width: place.width, place.meaning)))
    }
    var offset = start
    for piece in pieces + [MessageLayout.Place(at: start + width, width: 0, like: whole)] {
      guard case .fromStart(let next) = piece.position else { continue }
      if next > offset {
        let rest = MessageLayout.Place(at: offset, width: next - offset, like: whole)
        let bytes = frames.map(rest.bytes)
        if bytes.allSatisfy({ $0 == bytes[0] }) { parts.append(.constant(bytes[0])) } else { addField(rest) }
      }
      if piece.width != 0 { addField(piece) }
      offset = next + (piece.width ?? 0)
    }
    let fields = self[id].parts.indices.filter { if case .field = self[id].parts[$0] { true } else { false } }
    streams[id.stream].messages[id.message].parts.replaceSubrange(fields[index]...fields[index], with: parts)
    streams[id.stream].claims.removeAll { $0.field == .init(name: whole.name, message: id.message) }
    layouts[id]?.places.replaceSubrange(index...index, with: places)
  }
}

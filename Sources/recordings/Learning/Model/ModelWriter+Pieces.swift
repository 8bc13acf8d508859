import DeviceModel
import Framing

// Frames that a device sends in pieces of its own, such as single bytes, whatever a link carries.
extension ModelWriter {
  /// Adds a variable for each stream of pieces, with what is still to be sent of a frame.
  mutating func addPieces() {
    for stream in Set(model.sentMessages.map(\.stream)).sorted()
    where model.streams[stream].pieceSize != nil {
      rests[stream] = definition.addVariable(names.unique("rest"), .bytes([]))
    }
  }

  /// Sends a message piece by piece; nil: it goes in one.
  func pieces(of id: MessageID, by cause: Cause?, to destination: Rule.Destination) -> [Rule.Step]? {
    guard let size = model.streams[id.stream].pieceSize, let variable = rests[id.stream] else { return nil }
    let rest = Expression.variable(variable)
    let name = definition.device.variables[variable].name
    let piece = ValueTemplate(
      learnt: "{slice(\(name), 0, \(size))}", .call(.slice, [rest, .number(0), .number(size)]))
    let count =
      model[id].size.map { Expression.number(($0 + size - 1) / size) }
      ?? .binary(.divideWhole, .call(.size, [rest]) + Int64(size - 1), .number(size))
    let pause = model.streams[id.stream].pieceGap
    let wait = pause >= .milliseconds(1) ? [Rule.Step(.wait(.number(pause.wholeMicroseconds / 1000)))] : []
    let next = Expression.call(.slice, [rest, .number(size), .number(FramingRule.defaultMaxLength * 8)])
    return wholes(of: id, by: cause, rest).map { .init(.set([(.variable(variable), $0)])) } + [
      .init(
        .repeat(
          count, index: 0,
          [.init(.send(.template(piece), to: destination)), .init(.set([(.variable(variable), next)]))] + wait
        ))
    ]
  }

  /// The bytes of a message up to its first checksum, then with it, and so on to its end.
  private func wholes(of id: MessageID, by cause: Cause?, _ present: Expression) -> [Expression] {
    let places = model.layouts[id]?.places ?? []
    var (wholes, terms, field) = ([Expression](), [Expression](), 0)
    func joined() -> Expression {
      let all = (wholes.isEmpty ? [] : [present]) + terms
      return all.dropFirst().reduce(all.first ?? .bytes([])) { $0 + $1 }
    }
    for part in model[id].parts {
      switch part {
      case .constant(let bytes): terms.append(.bytes(bytes))
      case .field:
        let value = expression(id, field, by: cause)
        if places.indices.contains(field), let value { terms.append(places[field].type.bytes(of: value)) }
        field += 1
      case .size(let width, let order, let adjust):
        terms.append(
          .encoded(.integer(width, order, isSigned: false), size(of: id, by: cause) + Int64(adjust)))
      case .checksum(let checksum, let start):
        wholes.append(joined())
        let covered =
          start == 0
          ? present : .call(.slice, [present, .number(start), .number(FramingRule.defaultMaxLength * 8)])
        terms = [
          .encoded(
            .integer(checksum.width, checksum.byteOrder, isSigned: false),
            .checksum(checksum, of: covered, after: nil))
        ]
      }
    }
    return wholes + [joined()]
  }

  /// The size of a message in bytes.
  private func size(of id: MessageID, by cause: Cause?) -> Expression {
    let known = model[id].parts.reduce(0) { $0 + ($1.width ?? 0) }
    let places = (model.layouts[id]?.places ?? []).enumerated().filter { $0.element.width == nil }
    return places.reduce(.number(known)) { size, place in
      let bytes = expression(id, place.offset, by: cause).map { place.element.type.bytes(of: $0) }
      return bytes.map { .binary(.add, size, .call(.size, [$0])) } ?? size
    }
  }
}

extension Rule {
  /// A rule that numbers its repetitions.
  init(on trigger: Trigger, numbering steps: [Step]) {
    var count = 0
    let numbered = steps.numbered(from: &count)
    self.init(on: trigger, numbered, repetitions: Array(repeating: nil, count: count))
  }
}

extension [Rule.Step] {
  /// The steps with other numbers for their repetitions, in order.
  func numbered(from count: inout Int) -> Self {
    map { step in
      switch step.action {
      case .repeat(let times, _, let steps):
        let index = count
        count += 1
        return .init(.repeat(times, index: index, steps.numbered(from: &count)), if: step.condition)
      case .group(let steps): return .init(.group(steps.numbered(from: &count)), if: step.condition)
      default: return step
      }
    }
  }
}

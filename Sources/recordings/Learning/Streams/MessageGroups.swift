import Framing

/// Frames by their kind. The kind is in the first bytes that take few values, each of them again and again.
struct MessageGroups {
  struct Group {
    var name: String
    var frames: [Int]
  }

  private(set) var groups: [Group] = []
  private(set) var claims: [Layout.Claim] = []

  /// Kinds are near the start.
  private static let furthest = 8
  private static let mostKinds = 64

  init(_ frames: [[UInt8]], _ format: MessageFormat, prefix: String, id: String) {
    let kinds: [(places: [Int], frames: [Int])] = Self.families(frames, format.starts).flatMap { kind in
      Self.divided(kind.frames, of: frames, format, isFirst: true).map {
        ($0.places.isEmpty ? kind.places : $0.places, $0.frames)
      }
    }
    for place in kinds.map(\.places).distinct where !place.isEmpty {
      let own = kinds.filter { $0.places == place }
      guard own.count > 1 else { continue }
      claims.append(
        Layout.Claim(
          "kind of message at byte \(place.map(String.init).joined(separator: " and ")): \(own.count) kinds",
          own.reduce(0) { $0 + $1.frames.count }, of: frames.count))
    }
    var names: Set<String> = []
    groups = kinds.map { kind in
      let first = kind.frames.first.map { frames[$0] } ?? []
      let opcode = kind.places.filter { $0 < first.count }
      var name = Self.name(opcode.prefix(1).map { first[$0] }, prefix, id)
      if names.contains(name) { name = Self.name(opcode.map { first[$0] }, prefix, id) }
      if names.contains(name) { name += "-\(first.count)-bytes" }
      var number = 2
      let base = name
      while !names.insert(name).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      return Group(name: name, frames: kind.frames)
    }
  }

  private static func name(_ opcode: [UInt8], _ prefix: String, _ id: String) -> String {
    opcode.isEmpty
      ? "\(prefix)-\(id)" : prefix + "-" + HexText.format(opcode).split(separator: " ").joined()
  }

  /// Frames by the format whose start they have, where the stream has packets of several.
  private static func families(_ frames: [[UInt8]], _ starts: [[UInt8]]) -> [(places: [Int], frames: [Int])] {
    let families = Dictionary(grouping: frames.indices) { index in
      starts.firstIndex { frames[index].starts(with: $0) } ?? starts.count
    }
    return families.sorted { $0.value[0] < $1.value[0] }.map { family, own in
      (starts.indices.contains(family) ? [starts[family].count] : [], own)
    }
  }

  /// Frames by the value of the byte that tells their kind; all in one group if none does.
  private static func divided(
    _ indices: [Int], of frames: [[UInt8]], _ format: MessageFormat, isFirst: Bool
  ) -> [(places: [Int], frames: [Int])] {
    let own = indices.map { frames[$0] }
    let shortest = own.map(\.count).min() ?? 0
    guard indices.count > 1, shortest > 0, Set(own).count > 1 else { return [([], indices)] }
    let reach = min(furthest + own.commonStart(atMost: 4).count, shortest)
    for place in 0..<reach where isKind(place, own, format, isFirst: isFirst) {
      var order: [UInt8] = []
      var kinds: [UInt8: [Int]] = [:]
      for index in indices {
        let kind = frames[index][place]
        if kinds[kind] == nil { order.append(kind) }
        kinds[kind, default: []].append(index)
      }
      return order.flatMap { kind in
        divided(kinds[kind] ?? [], of: frames, format, isFirst: false).map {
          ([place] + $0.places, $0.frames)
        }
      }
    }
    return [([], indices)]
  }

  private static func isKind(_ place: Int, _ frames: [[UInt8]], _ format: MessageFormat, isFirst: Bool)
    -> Bool
  {
    if format.counters.contains(place) { return false }
    if let size = format.size, place >= size.place, place < size.place + size.width { return false }
    if let header = format.header, header.place..<(header.place + header.checksum.width) ~= place {
      return false
    }
    if let check = format.check, frames.contains(where: { place >= $0.count - check.size }) { return false }
    let bytes = frames.map { $0[place] }
    let kinds = Set(bytes)
    guard kinds.count > 1, kinds.count <= mostKinds else { return false }
    let sizes = Set(frames.map(\.count))
    let groups = Array(Dictionary(grouping: frames) { $0[place] }.values)
    let tellsSize = sizes.count > 1 && groups.allSatisfy { Set($0.map(\.count)).count == 1 }
    if tellsSize, kinds.count * 2 <= frames.count + 2 { return true }
    guard isFirst || sizes.count > 1, kinds.count * 3 <= frames.count * 2 else { return false }
    if constants(in: groups) > 1 { return true }
    let isNear = place < frames.commonStart(atMost: 4).count + 4
    let isNext =
      isNear
      && (0..<place).allSatisfy { earlier in
        format.counters.contains(earlier) || frames.allSatisfy { $0[earlier] == frames[0][earlier] }
      }
    return !isSmooth(bytes, kinds) && (tellsSize || isNext && kinds.count * 2 <= frames.count)
  }

  /// A number that changes by small steps, as those of a sensor.
  private static func isSmooth(_ bytes: [UInt8], _ kinds: Set<UInt8>) -> Bool {
    guard kinds.count > 2 else { return false }
    let steps = zip(bytes, bytes.dropFirst()).map { abs(Int($0) - Int($1)) }.filter { $0 != 0 }
    return steps.count { $0 <= 2 } * 10 >= steps.count * 8
  }

  /// How many places are constant in each group and differ between groups, apart from the kind; of groups of one frame, none.
  private static func constants(in groups: [[[UInt8]]]) -> Int {
    let shortest = groups.joined().map(\.count).min() ?? 0
    guard groups.contains(where: { $0.count > 1 }) else { return 0 }
    return (0..<min(shortest, 64)).count { place in
      groups.allSatisfy { group in group.allSatisfy { $0[place] == group[0][place] } }
        && Set(groups.map { $0[0][place] }).count > 1
    } - 1
  }
}

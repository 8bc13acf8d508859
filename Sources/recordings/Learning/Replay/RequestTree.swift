import Bluetooth
import DeviceModel
import Framing

/// The requests to a characteristic by their bytes, which tells what to take a request for that was never recorded.
///
/// A byte in which requests with different effects differ tells their kinds, and so do the bytes before the first of them; all
/// others may be any.
struct RequestTree {
  /// Requests of one kind.
  struct Branch {
    var template: String
    /// The one that requests which were never recorded are answered like, by index.
    var example: Int
    /// Whether all recorded requests of the kind have the effect.
    var isUniform = false
    /// The effect by the bytes of the request; nil: that of the example.
    var effect: RecordedScript?
  }

  let requests: [RecordedRequest]
  /// The more exact ones first.
  private(set) var branches: [Branch] = []
  /// The requests with which a uniform branch deals, by index.
  private(set) var shared: Set<Int> = []
  private let isText: Bool
  /// The place of the requests' size.
  private let size: Int?
  /// Of the values that the device sends, by the handles of their characteristics.
  private let checks: [AttributeHandle: CheckField]
  /// What the first value after each request repeats of it.
  private var common: [Echo] = []

  /// A recording with more kinds would make a definition that nobody reads.
  private static let mostBranches = 300
  private static let furthestSize = 4
  /// A longer effect is as recorded.
  private static let mostValues = 8
  /// A uniform branch of so many requests has the only rule for them.
  private static let fewest = 3

  init(_ requests: [RecordedRequest], _ checks: [AttributeHandle: CheckField]) {
    (self.requests, self.checks) = (requests, checks)
    isText = requests.allSatisfy { $0.bytes.allSatisfy { 0x20...0x7E ~= $0 || 0x0A...0x0D ~= $0 } }
    size = (0..<Self.furthestSize).first { place in
      let rests = requests.map { place < $0.bytes.count ? $0.bytes.count - Int($0.bytes[place]) : nil }
      return Set(rests).count == 1 && rests.first != .some(nil) && Set(requests.map(\.bytes.count)).count > 1
    }
    common = commonEchoes
    if !requests.isEmpty { add(Array(requests.indices), Path(), isRoot: true) }
  }
}

// MARK: Branching

extension RequestTree {
  /// What the requests of a branch begin with.
  private struct Path {
    /// nil: any byte.
    var start: [UInt8?] = []

    /// The requests that begin so.
    var template: String {
      let skips = start.indices.indices { start[$0] == nil }.ranges.map { ($0, "{skip(\($0.count))}") }
      let rest = (start.count..<start.count, "{data: bytes}")
      return start.map { $0 ?? 0 }.template(with: skips + [rest])
    }
  }

  private mutating func add(_ indices: [Int], _ path: Path, isRoot: Bool) {
    let example = example(of: indices)
    let path = isRoot ? Path(start: start(of: indices, isText ? Int.max : 1)) : path
    let derived = derivedEffects(of: indices)
    let isDerived =
      derived.map { $0.values.dropFirst().allSatisfy($0.values.first!.isLike) && $0.count == indices.count }
      ?? false
    if isUniform(indices) || isDerived, !(isRoot && isText && requests[example].hasEffect) {
      let free = Set(indices.map { requests[$0].free })
      let isShared = indices.count >= Self.fewest && free.count == 1
      if isShared { shared.formUnion(indices) }
      branches.append(
        Branch(
          template: path.template, example: example, isUniform: isShared,
          effect: derived?[example] ?? (isShared ? nil : echoingEffect(of: example, after: path))))
      return
    }
    let place = firstDifference(of: indices)
    if let place {
      // Before the first kind, everything counts: it is the head of a protocol.
      let known = isRoot ? start(of: indices, place) : path.start
      for (byte, kind) in kinds(of: indices, at: place) where branches.count < Self.mostBranches {
        var next = Path(start: known + Array(repeating: nil, count: place - known.count) + [byte])
        if isText { next.start = start(of: kind, word(of: kind, from: place)) }
        add(kind, next, isRoot: false)
      }
    }
    if isRoot ? haveOneShape(indices) : place.map({ !isWithinWord($0, indices) }) ?? true {
      branches.append(
        Branch(
          template: path.template, example: example,
          effect: derived?[example] ?? echoingEffect(of: example, after: path)))
    }
  }

  /// The first of them that had an effect; rather one after which the link went on.
  private func example(of indices: [Int]) -> Int {
    indices.first { requests[$0].values > 0 } ?? indices.first { requests[$0].hasEffect } ?? indices[0]
  }

  /// Whether all of them have one effect, which is always the same.
  private func isUniform(_ indices: [Int]) -> Bool {
    guard let effect = requests[indices[0]].onlyEffect else { return false }
    return indices.dropFirst().allSatisfy { requests[$0].onlyEffect?.isLike(effect) == true }
  }

  /// The effects of the requests that have one, by their indices, with all bytes that repeat bytes of the request; nil: they are
  /// not of one form, or repeat nothing else than the free bytes.
  private func derivedEffects(of indices: [Int]) -> [Int: RecordedScript]? {
    let effective = indices.filter { requests[$0].hasEffect }
    let effects = effective.compactMap { requests[$0].onlyEffect }
    guard effects.count == effective.count, effects.count > 1, let first = effects.first,
      first.cues.count <= Self.mostValues, effects.allSatisfy({ $0.hasShape(of: first) })
    else { return nil }
    let shortest = effective.map { requests[$0].bytes.count }.min() ?? 0
    let sources = (0..<shortest).filter { place in
      !effective.contains { requests[$0].free.checks.contains(place) }
    }
    let scripts = effective.flatMap { requests[$0].effects.joined() }
    let echoes = first.cues.indices.map { number in
      Echo.all(
        in: scripts.map { .init(request: $0.request, answer: $0.cues[number].value.recorded) }, from: sources)
    }
    let isNew = echoes.joined().contains { echo in
      !effective.contains { requests[$0].free.values.contains(echo.source) }
    }
    guard isNew else { return nil }
    return Dictionary(
      uniqueKeysWithValues: zip(effective, effects).map { index, effect in
        (index, effect.marked(echoes, checks))
      })
  }

  /// What the first values after all requests repeat of them, whatever their sizes.
  private var commonEchoes: [Echo] {
    let scripts = requests.flatMap { $0.effects.joined() }.filter { !$0.cues.isEmpty }
    let handles = Set(scripts.map(\.cues[0].handle))
    let size = scripts.map(\.cues[0].value.recorded.count).min() ?? 0
    guard handles.count == 1, !isText else { return [] }
    let shortest = scripts.map(\.request.count).min() ?? 0
    return Echo.all(
      in: scripts.map { .init(request: $0.request, answer: Array($0.cues[0].value.recorded.prefix(size))) },
      from: 0..<shortest)
  }

  /// The effect of a request if it is always the same and repeats bytes of it that may be any, as those of all requests do.
  private func echoingEffect(of index: Int, after path: Path) -> RecordedScript? {
    let isOpen = common.contains { !path.start.indices.contains($0.source) || path.start[$0.source] == nil }
    guard isOpen, let effect = requests[index].onlyEffect, effect.end == nil, effect.again == nil,
      1...Self.mostValues ~= effect.cues.count
    else { return nil }
    return effect.marked([common] + effect.cues.dropFirst().map { _ in [] }, checks)
  }

  /// Whether what answers them looks alike, so that the bytes in which they differ are no kinds.
  private func haveOneShape(_ indices: [Int]) -> Bool {
    let shapes = Set(indices.map { requests[$0].shape })
    return shapes.count == 1 && shapes.first?.isEmpty == false && !isText
  }

  private func kinds(of indices: [Int], at place: Int) -> [(byte: UInt8, indices: [Int])] {
    let kinds = Dictionary(grouping: indices) { requests[$0].bytes[place] }
    return indices.map { requests[$0].bytes[place] }.distinct.map { ($0, kinds[$0]!) }
  }

  /// The first place that tells some of them apart.
  private func firstDifference(of indices: [Int]) -> Int? {
    let shortest = indices.map { requests[$0].bytes.count }.min() ?? 0
    return (0..<shortest).first { place in
      !isFree(place, indices)
        && indices.contains { requests[$0].bytes[place] != requests[indices[0]].bytes[place] }
    }
  }

  private func isFree(_ place: Int, _ indices: [Int]) -> Bool {
    place == size || indices.contains { requests[$0].free.all.contains(place) }
  }

  /// What they have in common, up to a place.
  private func start(of indices: [Int], _ end: Int) -> [UInt8?] {
    let common = firstDifference(of: indices) ?? indices.map { requests[$0].bytes.count }.min() ?? 0
    return (0..<min(common, end)).map { isFree($0, indices) ? nil : requests[indices[0]].bytes[$0] }
  }
}

// MARK: Text

extension RequestTree {
  private func isLetter(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
  }

  /// The end of the word around a place.
  private func word(of indices: [Int], from place: Int) -> Int {
    let bytes = requests[indices[0]].bytes
    return bytes.indices.first { $0 > place && !isLetter(bytes[$0]) } ?? bytes.count
  }

  /// Whether the requests differ within a word: what begins like it is another word.
  private func isWithinWord(_ place: Int, _ indices: [Int]) -> Bool {
    isText && place > 0 && indices.allSatisfy { isLetter(requests[$0].bytes[place]) }
      && isLetter(requests[indices[0]].bytes[place - 1])
  }
}

extension RecordedScript {
  /// Whether both are as many values of the same sizes.
  fileprivate func hasShape(of other: Self) -> Bool {
    end == nil && again == nil && !cues.isEmpty
      && cues.elementsEqual(other.cues) {
        $0.handle == $1.handle && $0.value.recorded.count == $1.value.recorded.count
      }
  }

  /// With what follows from the request.
  ///
  /// - Parameter echoes: by value.
  fileprivate func marked(_ echoes: [[Echo]], _ checks: [AttributeHandle: CheckField]) -> Self {
    var script = self
    for number in cues.indices {
      script.cues[number].value.mark(echoes[number], for: request, checks[cues[number].handle])
    }
    return script
  }
}

/// A request to a characteristic and what came after it.
struct RecordedRequest {
  var bytes: [UInt8]
  var free: RequestForms.Free
  /// By conversation.
  var effects: [[RecordedScript]]

  /// With zeros at the free places: what the recorded history has.
  var key: [UInt8] { bytes.with(zerosAt: free.all) }

  /// The same of the frame that has arrived, which has the same free places.
  var keyOfFrame: Expression {
    free.all.sorted().reduce(.known(.frame)) {
      .call(.patch, [$0, .number($1), .bytes([0])])
    }
  }

  var hasEffect: Bool { effects.joined().contains { !$0.cues.isEmpty || $0.end != nil } }

  /// How many values came after it, if it did not end the link.
  fileprivate var values: Int {
    effects.joined().contains { $0.end != nil } ? 0 : effects.joined().reduce(0) { $0 + $1.cues.count }
  }

  /// The effect, if it was always the same.
  fileprivate var onlyEffect: RecordedScript? {
    guard let first = effects.joined().first else { return nil }
    return effects.joined().allSatisfy { $0.isLike(first) } ? first : nil
  }

  /// The size and the first byte of each value of the first effect.
  fileprivate var shape: [[Int]] {
    guard let effect = effects.joined().first(where: { !$0.cues.isEmpty }) else { return [] }
    return effect.cues.map { [Int($0.handle), $0.value.bytes.count, Int($0.value.recorded.first ?? 0)] }
  }

  /// The request as a message, with fields for its free bytes.
  var template: String {
    let fields = runs(of: free.all).map { run in
      let name = free.checks.contains(run.lowerBound) ? "check" : run.count == 1 ? "byte" : "bytes"
      let type = run.count == 1 ? FieldType.integer(width: 1, .bigEndian, isSigned: false) : .bytes(run.count)
      return (run, "{\(name)-\(run.lowerBound): \(type.name)}")
    }
    return bytes.template(with: fields)
  }

  /// The request with the free bytes of the frame that has arrived.
  var completed: Expression {
    runs(of: free.values).reduce(.bytes(bytes)) { request, run in
      let own = Expression.call(.slice, [.known(.frame), .number(run.lowerBound), .number(run.count)])
      return .call(.patch, [request, .number(run.lowerBound), own])
    }
  }

  private func runs(of places: Set<Int>) -> [Range<Int>] {
    bytes.indices.indices { places.contains($0) }.ranges.map { $0.lowerBound..<$0.upperBound }
  }
}

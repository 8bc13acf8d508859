import Bluetooth
import Framing

/// Which bytes of requests do not tell what is asked for: sequence numbers, times, checksums, and the data of a long transfer.
/// Requests that differ only there are one.
struct RequestForms: Sendable {
  /// The free bytes of a request, by what they are.
  struct Free: Hashable, Sendable {
    var checks: Set<Int> = []
    /// An answer may repeat them.
    var values: Set<Int> = []

    var all: Set<Int> { checks.union(values) }
  }

  private struct Form: Hashable {
    var handle: AttributeHandle
    /// With zeros at the free places.
    var bytes: [UInt8]
    var free: Free
  }

  /// The request that stands for others, by request.
  private var canonical: [RecordedTrigger: RecordedTrigger] = [:]
  private var free: [RecordedTrigger: Free] = [:]
  /// What values that the device sends end with, by the handles of their characteristics.
  private(set) var answerChecks: [AttributeHandle: CheckField] = [:]

  /// - Parameter fixed: the characteristics whose requests count byte for byte, by the handles of their values.
  init(
    _ conversations: [Conversation], _ table: ObservedTable, except fixed: Set<AttributeHandle>
  ) {
    let analyses = [ValueStream](conversations, table).filter { !fixed.contains($0.handle) }
      .map { StreamAnalysis($0) }
    for analysis in analyses where analysis.stream.direction == .fromDevice {
      answerChecks[analysis.stream.handle] = analysis.checkOfValues
    }
    let writes = RecordedWrite.all(in: conversations, table, answerChecks)
    for analysis in analyses where analysis.stream.direction == .fromCentral {
      let own = writes.filter { $0.handle == analysis.stream.handle }
      var free = own.map { write in
        var free = Free()
        if let check = analysis.checkOfValues, write.bytes.has(check) {
          free.checks = Set(write.bytes.places(of: check))
        }
        free.values = ClockBytes.places(in: write.bytes, at: write.time).subtracting(free.checks)
        return free
      }
      if let place = SequenceNumbers(own, free).place {
        for index in free.indices { free[index].values.insert(place) }
      }
      Self.freeTransfers(own, &free)
      var firsts: [Form: RecordedTrigger] = [:]
      for (write, free) in zip(own, free) where !free.all.isEmpty {
        let trigger = RecordedTrigger.write(write.bytes, write.handle)
        guard canonical[trigger] == nil else { continue }
        let form = Form(handle: write.handle, bytes: write.bytes.with(zerosAt: free.all), free: free)
        let first = firsts[form] ?? trigger
        (firsts[form], canonical[trigger], self.free[first]) = (first, first, free)
      }
    }
  }

  /// The request that stands for all of its form.
  func canonical(_ trigger: RecordedTrigger) -> RecordedTrigger { canonical[trigger] ?? trigger }

  /// The free bytes of a request that stands for others.
  func free(of trigger: RecordedTrigger) -> Free { free[trigger] ?? Free() }

  /// Whether some requests to a characteristic have free bytes.
  func hasFree(_ handle: AttributeHandle) -> Bool { free.keys.contains { $0.handle == handle } }
}

extension RequestForms {
  /// More different requests of one form are data.
  private static let mostRequests = 200
  /// A place with more different bytes tells no kind.
  private static let mostKinds = 16

  /// Frees the bytes that change in a long transfer: hardly any of its requests comes twice.
  private static func freeTransfers(_ writes: [RecordedWrite], _ free: inout [Free]) {
    for indices in Dictionary(grouping: writes.indices, by: { writes[$0].bytes.count }).values {
      divide(indices, from: 0, writes, &free)
    }
  }

  private static func divide(
    _ indices: [Int], from start: Int, _ writes: [RecordedWrite], _ free: inout [Free]
  ) {
    let size = indices.first.map { writes[$0].bytes.count } ?? 0
    guard Set(indices.map { writes[$0].bytes }).count > mostRequests else { return }
    for place in start..<size {
      let kinds = Dictionary(grouping: indices) { writes[$0].bytes[place] }
      guard kinds.count > 1, kinds.count <= mostKinds else { continue }
      for kind in kinds.values { divide(kind, from: place + 1, writes, &free) }
      return
    }
    let changing = (0..<size).filter { place in
      indices.contains { writes[$0].bytes[place] != writes[indices[0]].bytes[place] }
    }
    for index in indices { free[index].values.formUnion(Set(changing).subtracting(free[index].checks)) }
  }
}

/// The byte that counts the requests to a characteristic.
struct SequenceNumbers {
  /// nil: none does.
  private(set) var place: Int?

  private static let furthest = 8

  /// - Parameter free: the bytes that are not looked at, by request.
  init(_ writes: [RecordedWrite], _ free: [RequestForms.Free]) {
    let shortest = min(writes.map(\.bytes.count).min() ?? 0, Self.furthest)
    let pairs = zip(writes, writes.dropFirst()).filter {
      $0.conversation == $1.conversation && $0.bytes != $1.bytes
    }
    place = (0..<shortest).first { place in
      let steps = pairs.count { $0.bytes[place] &+ 1 == $1.bytes[place] }
      guard steps > 0, steps * 10 >= pairs.count * 8, !free.contains(where: { $0.all.contains(place) })
      else { return false }
      let forms = Set(zip(writes, free).map { $0.bytes.with(zerosAt: $1.all.union([place])) })
      // What alone changes in otherwise equal requests may be what they ask for.
      return forms.count > 1
        ? steps > 2 || Self.echoes(place, writes).contains(where: { !$0.isEmpty })
        : Self.explains(place, writes)
    }
  }

  /// The bytes of the answers that repeat it, by the place of the answer after its request.
  private static func echoes(_ place: Int, _ writes: [RecordedWrite]) -> [[Echo]] {
    let most = writes.map(\.answers.count).max() ?? 0
    return (0..<min(most, furthest)).map { index in
      let answered = writes.filter { index < $0.answers.count }
      guard Set(answered.map { $0.answers[index].count }).count == 1 else { return [] }
      let pairs = answered.map { FramePair(request: $0.bytes, answer: $0.answers[index]) }
      return Echo.all(in: pairs, from: [place])
    }
  }

  /// Whether the answers differ only in bytes that repeat it.
  private static func explains(_ place: Int, _ writes: [RecordedWrite]) -> Bool {
    let echoes = echoes(place, writes)
    guard echoes.contains(where: { !$0.isEmpty }) || writes.allSatisfy(\.answers.isEmpty) else {
      return false
    }
    let rest = writes.map { write in
      zip(write.answers, echoes).map { $0.with(zerosAt: Set($1.flatMap(\.places))) }
    }
    return Set(rest).count == 1
  }
}

/// The time of day in requests that set a clock.
enum ClockBytes {
  /// The bytes that are the time at which they were written.
  static func places(in bytes: [UInt8], at time: Instant) -> Set<Int> {
    guard time.isOfClock else { return [] }
    let seconds = time.microseconds / 1_000_000
    for place in bytes.indices {
      let rest = bytes[place...]
      let numbers = rest.count < 4 ? [] : ByteOrder.allCases.map { $0.number(rest.prefix(4)) }
      if numbers.contains(where: { isNear($0, seconds) }) { return Set(place..<place + 4) }
      let calendar = CalendarTime.allCases.first { form in
        rest.count >= form.width && form.seconds(rest.prefix(form.width)).map { isNear($0, seconds) } == true
      }
      if let calendar { return Set(place..<place + calendar.width) }
    }
    return []
  }

  /// Whether two times are the same in some time zone.
  private static func isNear(_ time: Int64, _ seconds: Int64) -> Bool {
    let (offset, quarter) = (time - seconds, Int64(15 * 60))
    let rest = (offset % quarter + quarter) % quarter
    return abs(offset) <= 14 * 3600 && min(rest, quarter - rest) <= 3
  }
}

extension Instant {
  /// Whether a recorder with a clock has noted it: it is after the year 2000.
  var isOfClock: Bool { microseconds / 1_000_000 > 946_684_800 }
}

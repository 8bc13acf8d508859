import Glibc
import Synchronization

/// The time zones of this machine (RFC 8536): the files of `tzdata`, each read when it is first used.
package enum TimeZones {
  private static let folder = "/usr/share/zoneinfo/"
  private static let largestFile = 1 << 17
  /// Names may come from centrals.
  private static let mostZones = 64
  private static let zones = Mutex<[String: TimeZone?]>([:])

  /// Whether the machine has time zones.
  package static var areKnown: Bool { access(folder, R_OK) == 0 }

  package static func contain(_ name: String) -> Bool { zone(name) != nil }

  /// Seconds since 1970 as a clock in a zone shows them.
  static func localTime(at time: Int64, in name: String) throws(EvaluationError) -> Int64 {
    guard let zone = zone(name) else { throw .noTimeZone(areKnown ? name : nil) }
    return time + zone.offset(at: time)
  }

  private static func zone(_ name: String) -> TimeZone? {
    zones.withLock { zones in
      if let known = zones[name] { return known }
      if zones.count >= mostZones { zones = [:] }
      let zone = isName(name) ? read(folder + name).flatMap(TimeZone.init) : nil
      zones[name] = zone
      return zone
    }
  }

  /// Whether it is a path below the folder.
  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "/_+-".utf8.contains($0)
    }
    return isPlain && name.utf8.count <= 64 && name.utf8.first.map { $0 != UInt8(ascii: "/") } ?? false
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rbe") else { return nil }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: largestFile) { bytes, count in
      count = fread(bytes.baseAddress, 1, largestFile, file)
    }
    return bytes.isEmpty ? nil : bytes
  }
}

/// What a file says of a zone.
struct TimeZone {
  /// From each time on, the seconds to add to UTC.
  private var changes: [(time: Int64, offset: Int64)] = []
  private var first: Int64 = 0
  /// After the last change.
  private var rule: DaylightRule?

  /// - Parameter file: its contents, version 2 or later (RFC 8536, section 3).
  init?(_ file: [UInt8]) {
    guard let old = Header(file, at: 0), old.version >= UInt8(ascii: "2"),
      let header = Header(file, at: Header.size + old.bodySize(timeSize: 4))
    else { return nil }
    let times = header.end
    let types = times + 8 * header.timeCount
    let offsets = types + header.timeCount
    let end = header.end + header.bodySize(timeSize: 8)
    guard header.typeCount > 0, end < file.count else { return nil }
    func offset(ofType index: Int) -> Int64? {
      index < header.typeCount ? Self.number(file, offsets + 6 * index, 4) : nil
    }
    for index in 0..<header.timeCount {
      guard let offset = offset(ofType: Int(file[types + index])) else { return nil }
      changes.append((Self.number(file, times + 8 * index, 8), offset))
    }
    first = offset(ofType: 0) ?? 0
    let footer = file[(end + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    rule = DaylightRule(String(decoding: footer, as: UTF8.self))
  }

  /// The seconds to add to UTC.
  func offset(at time: Int64) -> Int64 {
    guard let last = changes.last, time < last.time else {
      return rule?.offset(at: time) ?? changes.last?.offset ?? first
    }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : changes[low - 1].offset
  }

  /// A big-endian number in two's complement.
  private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int64 {
    let bits = bytes[start..<start + size].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * size
    return Int64(bitPattern: bits << UInt64(unused)) >> Int64(unused)
  }

  private struct Header {
    static let size = 44

    var version: UInt8
    var end: Int
    var timeCount: Int
    var typeCount: Int
    /// Without the times and their types, and the types of local time.
    private var restSize: (fixed: Int, leapCount: Int)

    /// nil where the body is not whole.
    init?(_ file: [UInt8], at start: Int) {
      guard start >= 0, file.count - start >= Self.size, file[start...].starts(with: "TZif".utf8) else {
        return nil
      }
      version = file[start + 4]
      end = start + Self.size
      let counts = (0..<6).map { Int(TimeZone.number(file, start + 20 + 4 * $0, 4)) }
      guard counts.allSatisfy({ (0...file.count).contains($0) }) else { return nil }
      (timeCount, typeCount) = (counts[3], counts[4])
      restSize = (counts[0] + counts[1] + counts[5], counts[2])
      let timeSize = start == 0 ? 4 : 8
      guard end + bodySize(timeSize: timeSize) <= file.count else { return nil }
    }

    func bodySize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + restSize.fixed + restSize.leapCount * (timeSize + 4)
    }
  }
}

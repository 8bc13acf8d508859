import CGLib
import Glibc

/// The time zones of GLib: the files of `tzdata`, and rules of POSIX.
package enum TimeZones {
  private static let folder = "/usr/share/zoneinfo/"

  /// Whether the machine has the files.
  package static var areKnown: Bool { access(folder, R_OK) == 0 }

  package static func contain(_ name: String) -> Bool { offset(at: 0, in: name) != nil }

  /// Seconds since 1970 as a clock in a zone shows them.
  static func localTime(at time: Int64, in name: String) throws(EvaluationError) -> Int64 {
    guard let offset = offset(at: time, in: name) else { throw .noTimeZone(areKnown ? name : nil) }
    return time + offset
  }

  /// The seconds to add to UTC; nil: there is no such zone.
  private static func offset(at time: Int64, in name: String) -> Int64? {
    guard isName(name), let zone = g_time_zone_new_identifier(name) else { return nil }
    defer { g_time_zone_unref(zone) }
    let interval = g_time_zone_find_interval(zone, G_TIME_TYPE_UNIVERSAL, Int(time))
    return interval < 0 ? 0 : Int64(g_time_zone_get_offset(zone, interval))
  }

  /// Whether it is a rule, or the name of a file below the folder that has a zone. Names may come from centrals.
  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { 0x21...0x7E ~= $0 } && name.utf8.count <= 64
    guard isPlain, let first = name.utf8.first, !"/:".utf8.contains(first),
      !name.split(separator: "/").contains("..")
    else { return false }
    guard let file = fopen(folder + name, "rbe") else { return true }
    defer { fclose(file) }
    var magic = [UInt8](repeating: 0, count: 4)
    return fread(&magic, 1, 4, file) == 4 && magic.elementsEqual("TZif".utf8)
  }
}

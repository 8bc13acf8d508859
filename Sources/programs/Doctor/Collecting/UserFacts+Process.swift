import Glibc
import System

extension UserFacts {
  /// The user of this process.
  static func ofThisProcess(_ files: FileTree) -> UserFacts {
    var facts = UserFacts()
    facts.name = name(of: geteuid())
    facts.groups = groups
    facts.hasCapabilities = hasCapabilities(files)
    return facts
  }

  static func name(of user: uid_t) -> String {
    getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
  }

  private static var groups: [String] {
    var numbers = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    let count = getgroups(Int32(numbers.count), &numbers)
    return numbers.prefix(Int(max(count, 0))).compactMap { number in
      getgrgid(number).map { String(cString: $0.pointee.gr_name) }
    }
  }

  /// `CAP_NET_ADMIN` (12).
  private static func hasCapabilities(_ files: FileTree) -> Bool {
    let line = files.text("proc/self/status")?.split(separator: "\n").first { $0.hasPrefix("CapPrm:") }
    let word = line?.split { $0 == "\t" || $0 == " " }.last
    let needed: UInt64 = 1 << 12
    return word.flatMap { UInt64($0, radix: 16) }.map { $0 & needed == needed } ?? false
  }
}

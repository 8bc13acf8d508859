/// The version of Linux sources, for example 6.12.107.
package struct KernelVersion: Hashable, Sendable, CustomStringConvertible {
  package var series: String
  package var patch: Int

  /// The first three numbers of a text, as in `6.12.107+deb12-amd64`; nil if it does not begin with two.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", maxSplits: 3).map { $0.prefix { $0.isASCII && $0.isNumber } }
    guard numbers.count >= 2, let major = Int(numbers[0]), let minor = Int(numbers[1]) else { return nil }
    series = "\(major).\(minor)"
    patch = numbers.count > 2 ? Int(numbers[2]) ?? 0 : 0
  }

  package var description: String { "\(series).\(patch)" }
}

extension KernelVersion {
  /// - Parameters:
  ///   - release: `uname -r`. On Debian 12, this is `6.1.0-44-amd64` whatever the sources.
  ///   - build: `uname -v`, in which Debian names its sources, as in `#1 SMP … Debian 6.1.192-2 (2026-09-10)`.
  ///   - signature: `/proc/version_signature`, in which Ubuntu does, as in `Ubuntu 6.8.0-60.63-generic 6.8.12`.
  package init?(release: String, build: String, signature: String?) {
    let words = build.split(separator: " ")
    let debian = words.firstIndex(of: "Debian").flatMap { words.dropFirst($0 + 1).first }.map(
      Self.withoutEpoch)
    let ubuntu = signature?.split { $0 == " " || $0 == "\n" }.last.map(String.init)
    let versions = [ubuntu, debian, release].compactMap { $0 }.compactMap { KernelVersion($0) }
    guard let first = versions.first else { return nil }
    self = first
  }

  /// `1:6.18.34-1+rpt1` becomes `6.18.34-1+rpt1`.
  private static func withoutEpoch(_ version: Substring) -> String {
    version.split(separator: ":").last.map(String.init) ?? ""
  }
}

import EventLoop
import TestBeds

/// What remains of a bundled device that is recorded and learnt: a row of the published table.
package struct RoundTrip {
  package let name: String
  /// Whether the attributes are the same.
  package private(set) var hasTable = false
  /// Whether the packets of the advertisement are the same.
  package private(set) var hasPackets = false
  /// Sections that a central alone can hold.
  package private(set) var possible = 0
  /// How many of these pass.
  package var passed: Int { possible - failures.count }
  private var obstacles: [Obstacle: Int] = [:]
  /// The device, and what was learnt.
  package let double: LearntDouble
  /// The other sections, with the reason why they do not pass.
  package private(set) var failures: [String] = []

  /// Records the transcripts of a bundled device, learns the recording, and runs the transcripts with what was learnt in the place of
  /// the device.
  ///
  /// - Parameter onAir: whether the test bed is on the air.
  @EventLoop
  package init(of name: String, on testBed: any TestBed, onAir: Bool = false) async throws {
    self.name = name
    let device = try BundledDevice(name)
    for obstacle in device.sections.compactMap({ Obstacle(of: $0, with: device.definition, onAir: onAir) }) {
      obstacles[obstacle, default: 0] += 1
    }
    let sections = device.sectionsOfCentral(onAir: onAir)
    possible = sections.count
    double = try await LearntDouble(device.definition, sections, on: testBed)
    hasTable = try double.hasSameTable
    hasPackets = double.hasSameAdvertisement
    for section in sections {
      if let failure = try await double.failure(of: section) {
        failures.append("\(section.title): \(failure)")
      }
    }
  }
}

extension RoundTrip: CustomStringConvertible {
  /// A row of the table, and the failures below it.
  package var description: String {
    let obstacles = obstacles.map { "\($0.value) \($0.key.rawValue)" }.sorted()
    let cells = [
      name, hasTable ? "yes" : "**no**", hasPackets ? "yes" : "**no**", "\(passed) of \(possible)",
      obstacles.joined(separator: ", "),
    ]
    let row = "| " + cells.joined(separator: " | ") + " |"
    return ([row] + failures.map { "    \($0)" }).joined(separator: "\n")
  }
}

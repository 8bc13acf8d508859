import AttributeServer
import Definitions
import DeviceModel
import EventLoop
import Exact
import Framing
import Glibc
import Learning
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// Records the transcripts of each bundled device, learns the recording, and runs the transcripts with what was learnt in the
/// place of the device.
@Suite struct RoundTripTests {
  /// A row of the published table.
  struct Row {
    var name: String
    var hasTable = false
    var hasAdvertisement = false
    /// Sections that a central alone can hold, and those of them that pass.
    var possible = 0
    var passed = 0
    var obstacles: [String: Int] = [:]
    var failures: [String] = []

    var line: String {
      let obstacles = obstacles.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      return
        "| \(name) | \(hasTable ? "yes" : "**no**") | \(hasAdvertisement ? "yes" : "**no**") | \(passed) of \(possible) | "
        + "\(obstacles.joined(separator: ", ")) |"
    }
  }

  @EventLoop @Test func `what is learnt from a bundled device passes its transcripts`() async throws {
    var rows: [Row] = []
    for name in library.names { rows.append(try await row(of: name)) }
    let (passed, possible) = (rows.reduce(0) { $0 + $1.passed }, rows.reduce(0) { $0 + $1.possible })
    if getenv("BLEMU_SHOW") != nil {
      let failures = rows.flatMap { row in row.failures.map { "\(row.name): \($0)" } }
      print((rows.map(\.line) + ["\(passed) of \(possible)"] + failures).joined(separator: "\n"))
    }
    #expect(rows.count { !$0.hasTable } == 0)
    #expect(rows.count { !$0.hasAdvertisement } == 0)
    #expect(passed * 100 >= possible * 84, "\(passed) of \(possible) sections pass")
  }

  @EventLoop private func row(of name: String) async throws -> Row {
    let (original, sections) = try bundled(name)
    var row = Row(name: name)
    let double: Double
    do { double = try await Double(original, sections, as: .model) } catch {
      Issue.record("\(name) cannot be learnt: \(error)")
      return row
    }
    row.hasTable = try double.hasSameTable
    row.hasAdvertisement = double.hasSameAdvertisement
    for section in sections {
      if let obstacle = Obstacle(of: section) {
        row.obstacles[obstacle.rawValue, default: 0] += 1
        continue
      }
      row.possible += 1
      if let failure = try await double.failure(of: section) {
        row.failures.append("\(section.title): \(failure)")
      } else {
        row.passed += 1
      }
    }
    return row
  }
}

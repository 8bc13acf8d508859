import TestSupport
import Testing

@testable import Doctor

/// The words of findings, and the page that lists them.
@Suite struct SentenceTests {
  @Test(arguments: Complaint.all)
  func `what is not well has a remedy, and what is well has none`(complaint: Complaint) throws {
    let (message, remedy) = try #require(complaint.finding).sentences
    #expect((remedy == nil) == (complaint.level == .ok), "\(message)")
    #expect(!message.hasSuffix(".") && remedy?.hasSuffix(".") != true)
  }

  @Test(arguments: Complaint.all)
  func `the command that fixes it is the one in the sentence`(complaint: Complaint) throws {
    let finding = try #require(complaint.finding)
    let user = complaint.facts.user
    guard let words = finding.command(for: user), let remedy = finding.sentences.remedy else { return }
    let command = words.map { $0 == user.name ? "$USER" : $0 }.joined(separator: " ")
    #expect(remedy.contains("sudo \(command)"), "\(remedy)")
  }

  @Test func `the page lists every finding as it is said`() throws {
    let page = try Page("Peripherals/guide/doctor.md")
    let lines = page.text.split(separator: "\n").drop { $0 != "## What it finds" }
    let listed = lines.filter { $0.hasPrefix("| `") }.map(String.init)
    let rows = Complaint.all.map { complaint in
      let message = complaint.finding?.sentences.message ?? "nothing"
      return "| `\(complaint.code)` | \(complaint.level.rawValue) | \(message) |"
    }
    #expect(listed == rows, "the rows are:\n\(rows.joined(separator: "\n"))")
  }

  /// Those of a definition are made by the command.
  @Test func `every case has a machine that provokes it`() throws {
    let folder = Repository.path + "Sources/programs/Doctor/Findings/"
    let files = ["MachineFinding.swift", "KernelDefect.swift", "BlueZDefect.swift"]
    let lines = files.flatMap { name in
      String(decoding: Repository.bytes(ofFile: folder + name) ?? [], as: UTF8.self).split(separator: "\n")
    }
    let names = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "case"), at < 2, words.count > at + 1, line.hasPrefix("  ") else {
        return nil
      }
      return String(words[at + 1].prefix { $0.isLetter || $0.isNumber })
    }
    let wrappers = [
      "refused", "kernelDefect", "bluezDefect", "setting", "onAnotherAdapter", "ok", "note", "problem",
    ]
    let ofDefinition = ["definitionFits", "definitionRemark", "definitionNotes"]
    let wanted = names.filter { !$0.isEmpty && !(wrappers + ofDefinition).contains($0) }.map {
      MachineFinding.code(ofCase: $0)
    }
    #expect(wanted.count > 40)
    #expect(Set(wanted).subtracting(Complaint.all.map { $0.code }).isEmpty)
  }
}

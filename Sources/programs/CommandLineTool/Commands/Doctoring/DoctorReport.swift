import BlemuJSON
import Doctor
import Framing
import Glibc

/// What `blemu doctor` prints of findings, and its exit status.
struct DoctorReport {
  let findings: [MachineFinding]
  let facts: MachineFacts

  /// That of the first problem.
  var status: ExitStatus { findings.first { $0.level == .problem }?.kind.status ?? .success }
}

// MARK: For people

extension DoctorReport {
  func text(_ style: TextStyle) -> String {
    let width = Terminal.width(of: STDOUT_FILENO)
    let places = findings.map(\.place.count).max() ?? 0
    let column = Self.levelWidth + places + 2
    let rows = findings.map { finding in
      let (message, remedy) = finding.sentences(on: facts.tools)
      let start =
        style.mark(finding.level.rawValue, as: finding.level.role)
        + String(repeating: " ", count: Self.levelWidth - finding.level.rawValue.count)
        + finding.place.padded(to: places + 2)
      let lines = Columns.wrapped(message, indent: column, width: width)
      return start + lines.dropFirst(column) + (remedy.map { self.remedy($0, column, width, style) } ?? "")
        + (finding.edit.map { self.remedy(command($0.assignment, $0.path), column, nil, style) } ?? "")
    }
    return rows.joined() + "\n" + summary + "\n"
  }

  private static let levelWidth = 9

  private func remedy(_ text: String, _ column: Int, _ width: Int?, _ style: TextStyle) -> String {
    Columns.wrapped(text, indent: column, width: width).split(separator: "\n").map {
      style.mark(String($0), as: .hint) + "\n"
    }.joined()
  }

  /// Makes an edit, in one line. Sections of the same name are one, and the last value of a key counts.
  private func command(_ assignment: MainConfiguration.Assignment, _ path: String) -> String {
    "printf '\\n[\(assignment.section)]\\n\(assignment)\\n' | "
      + facts.tools.asRoot("tee -a \(ShellText.quoted(path))") + " && "
      + facts.tools.asRoot(facts.tools.restart)
  }

  private var summary: String {
    [
      Self.count(findings.count { $0.level == .problem }, "problem"),
      Self.count(findings.count { $0.level == .note }, "note"),
    ].joined(separator: ", ")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number == 0 ? "no" : "\(number)") \(word)\(number == 1 ? "" : "s")"
  }
}

extension MachineFinding.Level {
  fileprivate var role: TextStyle.Role {
    switch self {
    case .ok: .success
    case .note: .warning
    case .problem: .error
    }
  }
}

// MARK: For programs

extension DoctorReport {
  /// An object per line.
  var json: String { findings.map { value(of: $0).line + "\n" }.joined() }

  private func value(of finding: MachineFinding) -> JSONValue {
    let (message, remedy) = finding.sentences(on: facts.tools)
    let commands = finding.commands(for: facts.user, on: facts.tools)
    let value: JSONValue = [
      "level": .string(finding.level.rawValue), "place": .string(finding.place),
      "finding": .string(finding.code), "message": .string(message),
    ]
    return value.adding([
      "remedy": remedy.map { .string($0) },
      "command": commands.isEmpty ? nil : .string(commands.joined(separator: " && ")),
      "edit": finding.edit.map { Self.value(of: $0.assignment, $0.path) },
    ])
  }

  private static func value(of edit: MainConfiguration.Assignment, _ path: String) -> JSONValue {
    [
      "file": .string(path), "section": .string(edit.section), "key": .string(edit.key),
      "value": .string(edit.value),
    ]
  }
}

import BlemuJSON
import Doctor
import Framing
import Glibc

/// What `blemu doctor` prints of findings, and its exit status.
struct DoctorReport {
  let findings: [MachineFinding]
  let user: UserFacts

  /// That of the first problem.
  var status: ExitStatus { findings.first { $0.level == .problem }?.kind.status ?? .success }

  /// The remedies that a program can carry out, each once.
  var mendings: [Mending] {
    var mendings: [Mending] = []
    for finding in findings where finding.level != .ok {
      if let mending = finding.mending(for: user), !mendings.contains(mending) { mendings.append(mending) }
    }
    return mendings
  }
}

// MARK: For people

extension DoctorReport {
  /// - Parameter fixes: whether remedies are offered anyway.
  func text(_ style: TextStyle, fixes: Bool = false) -> String {
    let width = Terminal.width(of: STDOUT_FILENO)
    let places = findings.map(\.place.count).max() ?? 0
    let column = Self.levelWidth + places + 2
    let rows = findings.map { finding in
      let (message, remedy) = finding.sentences
      let start =
        style.mark(finding.level.rawValue, as: finding.level.role)
        + String(repeating: " ", count: Self.levelWidth - finding.level.rawValue.count)
        + finding.place.padded(to: places + 2)
      let lines = Columns.wrapped(message, indent: column, width: width)
      return start + lines.dropFirst(column) + (remedy.map { self.remedy($0, column, width, style) } ?? "")
    }
    return rows.joined() + "\n" + summary(fixes) + "\n"
  }

  private static let levelWidth = 9

  private func remedy(_ text: String, _ column: Int, _ width: Int?, _ style: TextStyle) -> String {
    Columns.wrapped(text, indent: column, width: width).split(separator: "\n").map {
      style.mark(String($0), as: .hint) + "\n"
    }.joined()
  }

  private func summary(_ fixes: Bool) -> String {
    let counts = [
      Self.count(findings.count { $0.level == .problem }, "problem"),
      Self.count(findings.count { $0.level == .note }, "note"),
    ]
    let offer = fixes || mendings.isEmpty ? "" : "; 'blemu doctor --fix' asks and mends"
    return counts.joined(separator: ", ") + offer
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
    let (message, remedy) = finding.sentences
    let value: JSONValue = [
      "level": .string(finding.level.rawValue), "place": .string(finding.place),
      "finding": .string(finding.code), "message": .string(message),
    ]
    return value.adding([
      "remedy": remedy.map { .string($0) },
      "command": finding.mending(for: user)?.command.map { .string($0) },
      "edit": finding.mending(for: user)?.edit,
    ])
  }
}

extension Mending {
  /// As root types it.
  fileprivate var command: String? {
    guard case .command(let words) = self else { return nil }
    return words.map(ShellText.quoted).joined(separator: " ")
  }

  fileprivate var edit: JSONValue? {
    guard case .edit(let assignment, let path) = self else { return nil }
    return [
      "file": .string(path), "section": .string(assignment.section), "key": .string(assignment.key),
      "value": .string(assignment.value),
    ]
  }
}

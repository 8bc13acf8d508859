import TestSupport
import Testing

@testable import Definitions

/// A piece of YAML that a README shows.
struct Example: CustomStringConvertible {
  /// The README, from the repository's folder on.
  let file: String
  /// Where the YAML begins, from 1.
  let line: Int
  let yaml: String

  var description: String { "\(file):\(line)" }

  /// Whether it is a definition, and not only a section of one.
  var isWhole: Bool { yaml.hasPrefix("blemu:") }

  /// Whether it is a stand, which the tests of the command line check.
  fileprivate var isStand: Bool { yaml.hasPrefix("stand:") }
}

extension Example {
  static let all = ["README.md", "Peripherals/README.md", "Peripherals/from-a-datasheet.md"].flatMap { file in
    let text = try! TextFile.read(Repository.path + file)
    return examples(in: text, of: file).filter { !$0.isStand }
  }

  /// What stands between "```yaml" and "```".
  private static func examples(in text: String, of file: String) -> [Example] {
    var examples: [Example] = []
    var begun: (line: Int, lines: [Substring])?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line == "```yaml" {
        begun = (index + 2, [])
      } else if line == "```", let (first, lines) = begun {
        examples.append(Example(file: file, line: first, yaml: lines.joined(separator: "\n")))
        begun = nil
      } else {
        begun?.lines.append(line)
      }
    }
    return examples
  }
}

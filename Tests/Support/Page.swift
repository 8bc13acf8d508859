import Definitions

/// A page of the documentation: a Markdown file of this repository.
package struct Page: CustomStringConvertible, Sendable {
  /// The path from the repository's folder, as in `Peripherals/language/rules.md`.
  package let path: String
  package let text: String
  /// The code blocks, in order.
  package let blocks: [Block]

  package var description: String { path }

  /// The page of this path.
  package init(_ path: String) throws {
    self.path = path
    text = try TextFile.read(Repository.path + path)
    blocks = Block.all(in: text, of: path)
  }
}

extension Page {
  /// Every page of the repository, in order.
  package static let all: [Page] = (["README.md"] + folders.flatMap(paths)).map { try! Page($0) }

  /// The chapters of the language's reference, with the page that leads to them.
  package static let language = all.filter { $0.path.hasPrefix("Peripherals/language/") }

  private static let folders = ["Peripherals", "Sources", "Tests", "tools"]

  private static func paths(below folder: String) -> [String] {
    Repository.names(in: Repository.path + folder).flatMap { name in
      name.hasSuffix(".md") ? ["\(folder)/\(name)"] : paths(below: "\(folder)/\(name)")
    }
  }
}

extension Page {
  /// A code block of a page.
  package struct Block: CustomStringConvertible, Sendable {
    package let page: String
    /// The first line of its text, from 1.
    package let line: Int
    /// What stands after the fence, as in `yaml` or `sh air`.
    package let language: String
    /// The lines between the fences, each with its end.
    package let text: String

    package var description: String { "\(page):\(line)" }

    fileprivate static func all(in text: String, of page: String) -> [Block] {
      var blocks: [Block] = []
      var begun: (line: Int, language: Substring, text: String)?
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if let (first, language, text) = begun, line == "```" {
          blocks.append(Block(page: page, line: first, language: String(language), text: text))
          begun = nil
        } else if begun != nil {
          begun?.text += line + "\n"
        } else if line.hasPrefix("```") {
          begun = (index + 2, line.dropFirst(3), "")
        }
      }
      return blocks
    }
  }

  /// The blocks of a language.
  package func blocks(_ language: String) -> [Block] { blocks.filter { $0.language == language } }
}

extension Page.Block {
  /// Whether it is a whole definition, and not only a section of one.
  package var isDefinition: Bool { language == "yaml" && text.hasPrefix("blemu:") }

  /// Whether it is a stand.
  package var isStand: Bool { language == "yaml" && text.hasPrefix("stand:") }
}

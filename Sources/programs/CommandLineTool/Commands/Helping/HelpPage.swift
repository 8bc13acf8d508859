import Definitions

/// A page that `blemu help` opens: a file in Markdown.
struct HelpPage: Sendable {
  /// From the folder of all pages on, as in `Peripherals/language/faults.md`.
  let path: String
  /// The folder of all pages, which ends with a slash.
  let root: String
  /// The end of its path that no other page and no command has: `faults`, or `guide/doctor` because `doctor` is a command.
  fileprivate(set) var name = ""

  /// Its path in words, in lower case. A README.md is that of its folder.
  var words: [String] { Self.words(of: path) }

  /// Whether it is about a bundled device: `Peripherals/GROUP/NAME/README.md`.
  var isOfDevice: Bool { words.count > 2 && words[0] == "peripherals" && isIndex }

  /// Whether it leads to other pages.
  var isIndex: Bool { path.hasSuffix("README.md") }

  func text() throws(CommandError) -> String {
    do { return try TextFile.read(root + path) } catch { throw .unreadable(error) }
  }

  /// The first heading, or the name if the file cannot be read.
  var title: String { (try? text()).map(MarkdownPage.title) ?? name }

  fileprivate static func words(of path: String) -> [String] {
    var words = path.lowercased().split(separator: "/").map(String.init)
    if let last = words.last, last.hasSuffix(".md") { words[words.count - 1] = String(last.dropLast(3)) }
    if words.last == "readme" { words.removeLast() }
    return words
  }
}

/// All pages: the Markdown files in the folder of the bundled definitions, and those about Python, which are installed next to it.
struct HelpPages: Sendable {
  private(set) var all: [HelpPage] = []

  /// Those of this program; none where they are not installed.
  static let ofThisProgram = DefinitionLibrary.ofThisProgram().folder.map {
    Self(root: FileSystem.parent(of: $0) + "/")
  }

  /// - Parameter root: the folder of all pages, which ends with a slash.
  init(root: String) {
    let python = FileSystem.entries(of: root + "tools/python").map { "tools/python/\($0)" }
    all = (Self.files(below: "Peripherals", of: root) + python).filter { $0.hasSuffix(".md") }
      .map { HelpPage(path: $0, root: root) }
    let known = Dictionary(grouping: all) { $0.words.last ?? "" }
    for index in all.indices {
      let word = all[index].words.last ?? ""
      let isUnique = known[word]?.count == 1 && Command.named(word) == nil
      all[index].name = all[index].words.suffix(isUnique ? 1 : 2).joined(separator: "/")
    }
  }

  private static func files(below folder: String, of root: String) -> [String] {
    FileSystem.entries(of: root + folder).flatMap { name in
      let path = "\(folder)/\(name)"
      return FileSystem.isFolder(root + path) ? files(below: path, of: root) : [path]
    }
  }

  /// Those that are not about a bundled device.
  var reference: [HelpPage] { all.filter { !$0.isOfDevice } }

  /// Those that lead to the others, or teach.
  var entrances: [HelpPage] { reference.filter { $0.isIndex || $0.words.count == 2 } }

  /// Those of this program.
  static func installed() throws(CommandError) -> Self {
    guard let pages = ofThisProgram else { throw .notInstalled("the pages are") }
    return pages
  }

  /// The pages whose paths end with these words, as in `faults`, `language/faults` or `faults.md`.
  func named(_ name: String) -> [HelpPage] {
    let words = HelpPage.words(of: name)
    return words.isEmpty ? [] : all.filter { $0.words.suffix(words.count).elementsEqual(words) }
  }
}

// MARK: Links

extension HelpPages {
  /// What opens the target of a link: a command, or an address of the web. Nil: the target is on the same page, or no page.
  func reference(_ target: String, on page: HelpPage) -> String? {
    if target.hasPrefix("https://") || target.hasPrefix("http://") { return target }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard !parts[0].isEmpty else { return nil }
    let path = Self.path(parts[0], from: page.path)
    return all.first { $0.path == path }?.command(section: parts.dropFirst().first)
  }

  /// A relative path, from the folder of all pages on.
  private static func path(_ target: String, from path: String) -> String {
    var folders = path.split(separator: "/").dropLast()
    for word in target.split(separator: "/") where word != "." {
      if word != ".." { folders.append(word) } else if !folders.isEmpty { folders.removeLast() }
    }
    return folders.joined(separator: "/")
  }
}

extension HelpPage {
  /// The command that opens it, or a section of it.
  func command(section: String? = nil) -> String { "blemu help \(name)" + (section.map { " \($0)" } ?? "") }
}

import TestSupport
import Testing

@testable import CommandLineTool

/// The pages that `blemu help` opens: those of this repository.
@Suite struct HelpPageTests {
  private static let pages = HelpPages(root: Repository.path)
  private let shell = Shell()

  private static func find(_ words: String) throws(CommandError) -> HelpText {
    try pages.text(at: HelpAddress(words.split(separator: " ").map(String.init)))
  }

  /// Whether a command of the help opens something.
  private static func opens(_ command: String) -> Bool {
    let words = command.dropFirst("blemu help ".count)
    return Command.named(String(words)) != nil || (try? find(String(words))) != nil
  }

  // MARK: Pages

  @Test func `every page opens by its name alone, and its links lead to what opens`() throws {
    var commands: Set<String> = []
    for page in Self.pages.all {
      #expect(Self.pages.named(page.name).map(\.path) == [page.path] && Command.named(page.name) == nil)
      #expect(Self.pages.named(page.path).contains { $0.path == page.path })
      let text = try HelpText(page: page, text: page.text(), section: nil)
      let layout = MarkdownPage(width: 80) { target in
        let reference = text.reference(target, among: Self.pages)
        if let reference, reference.hasPrefix("blemu ") { commands.insert(reference) }
        let isLost = target.hasSuffix(".md") && target.hasPrefix("../language/") && reference == nil
        #expect(!isLost, "\(page.path): \(target)")
        return reference
      }
      #expect(layout.text(text.text).hasPrefix(page.title + "\n\n"))
    }
    #expect(
      commands.isSuperset(of: ["blemu help faults distance", "blemu help farm", "blemu help guide/doctor"]))
    for command in commands { #expect(Self.opens(command), "\(command)") }
  }

  @Test func `every chapter, page of the guide and page of Python is there`() {
    let paths = Set(Self.pages.reference.map(\.path))
    for folder in ["Peripherals/", "Peripherals/guide/", "Peripherals/language/", "tools/python/"] {
      for name in Repository.names(in: Repository.path + folder) where name.hasSuffix(".md") {
        #expect(paths.contains(folder + name))
      }
    }
    #expect(Self.pages.all.count > paths.count && paths.count > 40)
  }

  @Test(arguments: [
    ("faults", "language/faults", nil), ("language/faults", "language/faults", nil),
    ("Peripherals/language/faults.md", "language/faults", nil), ("guide/README.md", "guide/README", nil),
    ("faults#distance", "language/faults", "distance"), ("faults distance", "language/faults", "distance"),
    ("running Exit statuses", "guide/running", "exit-statuses"), ("framing", "language/messages", "framing"),
    ("exit statuses", "guide/running", "exit-statuses"), ("FAULTS", "language/faults", nil),
    ("guide/doctor", "guide/doctor", nil), ("doctor read-it", "guide/doctor", "read-it"),
    ("hm-10", "serial-modules/hm-10/README", nil), ("json", "guide/json", nil),
  ])
  func `a page or a section opens by its name or its path`(words: String, path: String, section: String?)
    throws
  {
    let text = try Self.find(words)
    #expect(text.page.path == "Peripherals/\(path).md" && text.section == section)
  }

  @Test func `what no page has is said, with the nearest`() {
    let cases = [
      ("fautls", "did you mean 'blemu help faults'? 'blemu help -k fautls' searches all pages"),
      (
        "fault distance",
        "did you mean 'blemu help faults distance'? 'blemu help -k fault' searches all pages"
      ),
      (
        "exit-status",
        "did you mean 'blemu help exit-statuses'? 'blemu help -k exit-status' searches all pages"
      ),
      ("faults distanec", "did you mean 'blemu help faults distance'?"),
      ("faults x", "'blemu help faults' shows the whole page"),
      ("qqqqqqqq", "'blemu help -k qqqqqqqq' searches all pages, 'blemu help' lists the commands"),
      ("README.md", "'blemu help -k README.md' searches all pages, 'blemu help' lists the commands"),
    ]
    for (words, hint) in cases {
      #expect {
        try Self.find(words)
      } throws: {
        let error = $0 as? CommandError
        #expect(error?.hint == hint)
        return error?.status == .usage
      }
    }
  }

  @Test func `a name of several pages or sections leads to each`() {
    let page = "# A\n\n## Same\n"
    let folder = TemporaryFolder([
      "Peripherals/a.md": page, "Peripherals/b.md": page, "Peripherals/x/c.md": page,
      "tools/python/c.md": page,
    ])
    let pages = HelpPages(root: folder.path)
    for (name, hint) in [
      (
        "same",
        "choose one: blemu help a same, blemu help b same, blemu help x/c same, blemu help python/c same"
      ),
      ("c", "choose one: blemu help x/c, blemu help python/c"),
    ] {
      #expect {
        try pages.text(at: HelpAddress([name]))
      } throws: {
        ($0 as? CommandError)?.hint == hint
      }
    }
  }

  @Test func `a section leads to its page, and to the sections that it names`() throws {
    let folder = TemporaryFolder(["Peripherals/a.md": "# A\n\nx\n\n## B\n\n[C](#c), [B](#b)\n\n## C\n\ny\n"])
    let pages = HelpPages(root: folder.path)
    let text = Help().text(try pages.text(at: HelpAddress(["a", "b"])), of: pages)
    #expect(text == "B\n\nC (blemu help a c), B\n\n'blemu help a' shows the whole page: A.\n")
    #expect(HelpPages(root: folder.path + "none/").all.isEmpty)
  }

  // MARK: Search

  @Test(arguments: [
    ("checksum", "blemu help messages checksums"),
    ("subscribed", "blemu help attributes sending-without-a-subscription"),
    ("MTU", "blemu help transcripts the-central-and-the-wire-side"), ("pty", "blemu help run"),
    ("virtual time", "blemu help virtual-time"),
  ])
  func `a search finds sections and commands, each with what opens it`(words: String, command: String) throws
  {
    let words = words.split(separator: " ").map(String.init)
    let search = try HelpSearch(words, in: Self.pages)
    #expect(search.hits.contains { $0.command == command })
    for hit in search.hits { #expect(Self.opens(hit.command), "\(hit.command)") }
    for name in search.devices { #expect(Self.opens("blemu help \(name)")) }
    let lines = try search.text(width: 60).split(separator: "\n")
    for line in lines where line.hasPrefix("    ") { #expect(line.count <= 60, "\(line)") }
  }

  @Test func `a heading with the word comes before a text with it`() throws {
    let folder = TemporaryFolder([
      "Peripherals/a.md":
        "# A\n\n- [B and oddity](#b)\n\n## B\n\nAn oddity\nand an oddity.\n\n## Oddity\n\nx\n",
      "Peripherals/x/y/README.md": "# Y\n\nAn oddity.\n",
    ])
    let pages = HelpPages(root: folder.path)
    let text = try HelpSearch(["Oddity"], in: pages).text(width: 80)
    #expect(
      text == """
        blemu help a oddity
            Oddity
        blemu help a b
            An oddity
        blemu help DEVICE
            y

        """)
    #expect {
      try HelpSearch(["oddity", "zzz"], in: pages).text(width: 80)
    } throws: {
      ($0 as? CommandError)?.message == "no command or page mentions 'oddity zzz'"
    }
  }

  // MARK: The program

  @Test func `every reference in the help opens`() {
    let texts = [Help().overview] + Command.all.map(Help().text(for:))
    let text = String(texts.joined().map { $0 == "\n" ? " " : $0 })
    let commands = text.matches(of: /'(blemu help [a-z0-9 \/-]+)'/).map { String($0.1) }
    #expect(commands.count > 4)
    for command in commands {
      #expect(Self.opens(command) || command.hasPrefix("blemu help -k "), "\(command)")
    }
  }

  @Test(arguments: ["rules", "faults distance", "-k checksum", "--no-pager json"])
  func `help shows pages without a pager where output is no terminal`(words: String) {
    let result = shell.run("PAGER='echo no' blemu help \(words)")
    #expect(result.status == 0 && result.error == "", "\(result)")
    #expect(result.output.split(separator: "\n").count > 10)
    #expect(!result.output.contains("\u{1B}") && !result.output.hasPrefix("no"))
  }

  @Test func `a command whose name a page has as well names the page`() {
    #expect(
      shell.run("blemu help wire").output.hasSuffix(
        "\n\n'blemu help language/wire' shows the page: The wire side.\n"))
  }

  @Test func `a program without its pages says so`() {
    let result = shell.run("cp $(command -v blemu) . && ./blemu help rules || exit $?")
    #expect(result.status == ExitStatus.noDefinition.rawValue)
    #expect(result.error.hasPrefix("blemu: the pages are not next to this program\n"))
  }

  @Test func `the page of the command line has all exit statuses`() throws {
    let rows = try Self.find("exit-statuses").text.split(separator: "\n").map { $0.filter { $0 != "`" } }
    for status in CommandLineTool.ExitStatus.allCases {
      #expect(rows.contains("| \(status.rawValue) | \(status.meaning) |"))
    }
  }

  @Test func `a terminal shows a page through the pager`() {
    let folder = TemporaryFolder([:])
    let terminal = PlayTerminal(
      ["exit-statuses"], command: "help", home: folder, variables: ["PAGER=sed s/^/shown:/"])
    #expect(terminal.shows("shown:Exit statuses"))
  }

  @Test(arguments: [
    (["exit-statuses"], "no-such-pager"), (["--no-pager", "exit-statuses"], "sed s/^/shown:/"),
  ])
  func `without the pager, a terminal shows it at once`(arguments: [String], pager: String) {
    let folder = TemporaryFolder([:])
    let terminal = PlayTerminal(arguments, command: "help", home: folder, variables: ["PAGER=\(pager)"])
    #expect(terminal.shows("Exit statuses\n"))
    #expect(!terminal.shown.contains("shown:"))
  }
}

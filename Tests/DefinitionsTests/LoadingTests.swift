import Glibc
import TestSupport
import Testing

@testable import Definitions

@Suite struct LoadingTests {
  /// A folder of the test's own, with these files.
  static func withFolder<T>(_ files: [String: String], _ body: (String) throws -> T) rethrows -> T {
    let folder = TemporaryFolder(files)
    return try withExtendedLifetime(folder) { try body(String(folder.path.dropLast())) }
  }

  static let yaml = """
    blemu: 1
    name: Device
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]
    data: { days: { file: days.csv, columns: { day: integer }, key: [day] } }
    """

  @Test func `a definition is loaded with the files next to it`() throws {
    try Self.withFolder(["device.yaml": "\u{FEFF}" + Self.yaml, "days.csv": "day\n1\n"]) { folder in
      let loaded = try DefinitionLoader.load(path: "\(folder)/device.yaml")
      #expect(loaded.report == "")
      #expect(loaded.definition?.tables[0].count == 1)
    }
  }

  @Test func `a mistake in a file next to it names that file as a person would`() throws {
    try Self.withFolder(["device.yaml": Self.yaml, "days.csv": "day\none\n"]) { folder in
      let loaded = try DefinitionLoader.load(path: "\(folder)/device.yaml")
      #expect(
        loaded.report == """
          \(folder)/days.csv:2:1: error: 'one' is not an integer
              2 | one
                | ^~~

          """)
    }
  }

  @Test func `a definition extends one next to it, and a bundled one`() throws {
    let files = [
      "device.yaml": "blemu: 1\nextends: base.yaml\n", "base.yaml": "blemu: 1\nextends: hm-10\nname: Base\n",
    ]
    try Self.withFolder(files) { folder in
      let library = DiskLibrary(folder: BundledDefinition.library)
      let loaded = try DefinitionLoader.load(path: "\(folder)/device.yaml", bundled: library)
      #expect(loaded.report == "")
      #expect(loaded.definition?.name == "Base")
      #expect(loaded.definition?.services.last?.id == "FFE0")
      let alone = try DefinitionLoader.load(path: "\(folder)/device.yaml")
      #expect(
        alone.report.hasPrefix("\(folder)/base.yaml:2:10: error: there is no bundled definition 'hm-10'"))
    }
  }

  @Test(
    arguments: [
      ("own", "Own: Its summary"), ("heir", "Heir: Its summary"), ("removed", "Removed: "),
      ("short", "Short: "),
      ("late", "Late: A mistake follows"), ("broken", nil), ("nameless", nil), ("orphan", nil),
      ("circle", nil),
      ("missing", nil),
    ] as [(String, String?)])
  func `a list needs the name and the summary of a definition, and nothing after them`(
    name: String, expected: String?
  ) {
    let files = [
      "own.yaml": "blemu: 1\nname: Own\nsettings: { name: { type: text } }\nsummary: Its summary\n",
      "heir.yaml": "blemu: 1\nextends: own.yaml\nname: Heir\n",
      "removed.yaml": "blemu: 1\nextends: own.yaml\nsummary: ~\nname: Removed\n",
      "short.yaml": "blemu: 1\nname: Short\n",
      "late.yaml": "blemu: 1\nname: Late\nsummary: A mistake follows\nrules: [\n",
      "broken.yaml": "blemu: 1\nname: [\nsummary: A mistake precedes it\n",
      "nameless.yaml": "blemu: 1\nsummary: No name\n",
      "orphan.yaml": "blemu: 1\nextends: nobody\nname: Orphan\n",
      "circle.yaml": "blemu: 1\nextends: circle.yaml\nname: Circle\n",
    ]
    Self.withFolder(files) { folder in
      let title = DefinitionLoader.title(path: "\(folder)/\(name).yaml", bundled: NoBundledDefinitions())
      #expect(title.map { "\($0.name): \($0.summary)" } == expected)
    }
  }

  @Test(arguments: ["../hm-10", "hm-10/hm-10", "..", "", "none"])
  func `nothing outside the library goes by a name`(name: String) throws {
    #expect(try DiskLibrary(folder: BundledDefinition.library).file(named: name)?.name == nil)
  }

  @Test(arguments: ["/etc/passwd", "../days.csv", "a/days.csv", "..", "", "/"])
  func `nothing outside the folder is read`(name: String) {
    #expect(throws: FileError.self) { try DiskFolder(of: "device.yaml").read(name) }
  }

  @Test func `a link out of the folder is not followed`() {
    Self.withFolder(["device.yaml": Self.yaml]) { folder in
      symlink("/etc/passwd", "\(folder)/days.csv")
      defer { unlink("\(folder)/days.csv") }
      let error = #expect(throws: FileError.self) {
        try DiskFolder(of: "\(folder)/device.yaml").read("days.csv")
      }
      #expect(error?.message == "cannot read '\(folder)/days.csv': Too many levels of symbolic links")
    }
  }

  @Test(
    arguments: [
      ("device.yaml", "days.csv"), ("./device.yaml", "./days.csv"), ("a/b/device.yaml", "a/b/days.csv"),
      ("/device.yaml", "/days.csv"),
    ])
  func `a file is called as its definition is`(definition: String, file: String) {
    #expect(DiskFolder(of: definition).displayName(of: "days.csv") == file)
  }

  @Test func `what is no text file is refused`() {
    Self.withFolder(["pipe": ""]) { folder in
      #expect(throws: FileError(message: "'\(folder)' is not a file", hint: "name a file")) {
        try TextFile.read(folder)
      }
      unlink("\(folder)/pipe")
      mkfifo("\(folder)/pipe", 0o600)
      #expect(throws: FileError(message: "'\(folder)/pipe' is not a file", hint: "name a file")) {
        try TextFile.read("\(folder)/pipe")
      }
      let missing = FileError(message: "cannot read '\(folder)/x': No such file or directory")
      #expect(throws: missing) { try TextFile.read("\(folder)/x") }
    }
  }

  /// Bytes in a file, and what is said of them.
  static let noText: [(bytes: [UInt8], report: String)] = [
    (
      Array("# caf".utf8) + [0xE9, 0x0A],
      """
      FOLDER/device.yaml:1:6: error: the file is not UTF-8 text: it has the byte E9
          1 | # caf\u{FFFD}
            |      ^ save it as UTF-8

      """
    ),
    (
      Array("# ü\n# ü ".utf8) + [0xFF],
      """
      FOLDER/device.yaml:2:5: error: the file is not UTF-8 text: it has the byte FF
          2 | # ü \u{FFFD}
            |     ^ save it as UTF-8

      """
    ),
    (
      [0xFF, 0xFE, 0x61, 0x00],
      """
      FOLDER/device.yaml:1:1: error: the file is UTF-16, not UTF-8
          1 | \u{FFFD}\u{FFFD}a\u{20}
            | ^ save it as UTF-8

      """
    ),
  ]

  @Test(arguments: noText)
  func `bytes that are no UTF-8 are a mistake at their place`(bytes: [UInt8], report: String) throws {
    try Self.withFolder([:]) { folder in
      Self.write(bytes, to: "\(folder)/device.yaml")
      let loaded = try DefinitionLoader.load(path: "\(folder)/device.yaml")
      #expect(loaded.definition == nil)
      #expect(loaded.report == report.replacing("FOLDER", with: folder))
    }
  }

  @Test func `bytes in a data file that are no UTF-8 are a mistake where the file is named`() throws {
    try Self.withFolder(["device.yaml": Self.yaml]) { folder in
      Self.write(Array("day\n1\n".utf8) + [0x31, 0xC3, 0x28], to: "\(folder)/days.csv")
      let loaded = try DefinitionLoader.load(path: "\(folder)/device.yaml")
      #expect(
        loaded.diagnostics.map(\.message) == [
          "'\(folder)/days.csv' is not UTF-8 text: it has the byte C3 in line 3, column 2"
        ])
    }
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    let file = fopen(path, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  @Test func `a file that is too large is refused`() {
    Self.withFolder(["big.csv": ""]) { folder in
      truncate("\(folder)/big.csv", TextFile.maximumSize + 1)
      let error = #expect(throws: FileError.self) { try TextFile.read("\(folder)/big.csv") }
      #expect(error?.hint == "blemu reads at most 8388608")
    }
  }
}

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("monht", ["day", "month"], "month"), ("notfy", ["read", "notify"], "notify"),
      ("NOTIFY", ["notify"], "notify"),
      ("u16l", ["u16le", "u16be"], "u16le"), ("xor", ["xor8"], "xor8"), ("colour", ["mtu"], nil),
      ("2", ["1"], nil), ("", ["a"], nil), ("ab", ["ba"], "ba"), ("abc", [], nil),
    ] as [(String, [String], String?)])
  func `the nearest name, when it is near`(word: String, names: [String], nearest: String?) {
    #expect(Suggestion.nearest(to: word, in: names) == nearest)
  }

  @Test func `a word that nobody means takes no time`() {
    let word = String(repeating: "x", count: 500_000)
    #expect(Suggestion.nearest(to: word, in: [word + "y", "mtu"]) == nil)
  }
}

import Definitions
import DefinitionWriter
import EventLoop
import Glibc
import Learning

extension Command {
  static let importing = Command(
    "import", .writing, arguments: "FILE…", words: .files,
    summary: "Makes a definition of what another program lists of a device.",
    options: [
      Option("--name", takes: "NAME", "names the device and its file; by default, as the listing does"),
      Option("-o", takes: "FOLDER", "selects the new folder (default: NAME)", words: .files),
    ],
    notes: [
      "The content of a FILE tells its format: a server configuration of nRF Connect for Android (XML); what gatttool prints with "
        + "--primary, --characteristics and --char-desc, or in its interactive mode; what bluetoothctl prints as it connects, and "
        + "with 'info', 'list-attributes' and 'attribute-info'.",
      "Several FILEs describe one device. blemu says what they leave open, also in the definition, and overwrites nothing.",
    ],
    examples: [
      Example("blemu import server.xml", "makes a folder with a definition"),
      Example("blemu import primary.txt characteristics.txt --name lamp", "names the device and the folder"),
    ]
  ) { arguments throws(CommandError) in
    try ImportCommand(arguments).run()
  }
}

/// `blemu import FILE…`
struct ImportCommand {
  private let listings: [DeviceListing]
  private let name: String
  private let folder: String
  private let files: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    files = arguments.positional
    guard !files.isEmpty else { throw arguments.lacks("FILE") }
    listings = try Self.read(files)
    name = arguments["--name"] ?? Self.name(of: listings, files)
    guard Starter.isName(name) else { throw .badName(name) }
    folder = arguments["-o"] ?? name
  }

  static func read(_ paths: [String]) throws(CommandError) -> [DeviceListing] {
    var files: [ListingFile] = []
    for path in paths {
      do { files.append(ListingFile(name: path, bytes: Array(try TextFile.readBytes(path)))) } catch {
        throw .unreadable(error)
      }
    }
    do throws(ListingMistake) { return try ListingReader.read(files) } catch {
      guard let place = error.place, let file = files.first(where: { $0.name == error.file }) else {
        throw CommandError(.badDefinition, "\(error.file): \(error.reason)", error.hint)
      }
      let source = SourceText(name: file.name, text: String(decoding: file.bytes, as: UTF8.self))
      let diagnostic = Diagnostic(
        .error, error.reason, at: source.range(line: place.line, column: place.column), hint: error.hint)
      Terminal.printError(
        DiagnosticRenderer([source], Terminal.style(of: STDERR_FILENO)).render([diagnostic]))
      throw .badDefinition
    }
  }

  /// The name of the device as a word, or that of the first file.
  private static func name(of listings: [DeviceListing], _ files: [String]) -> String {
    let word = listings.lazy.compactMap(\.deviceName).map(DeviceWord.write).first(where: Starter.isName)
    return word ?? DeviceWord.write(files.first.map { String(FilePath($0).name.prefix { $0 != "." }) } ?? "")
  }

  func run() throws(CommandError) -> ExitStatus {
    var definition = LearntDefinition(
      name: listings.lazy.compactMap(\.deviceName).first ?? name, summary: "")
    definition.add(listings)
    let written = try LearntFolder.text(of: definition)
    try BlemuTool.makeFolder(folder)
    let path = "\(folder)/\(name).yaml"
    try BlemuTool.write(written.text, to: path)
    Terminal.print("made \(path) of \(listings.map(\.format.name).joined(separator: " and "))\n")
    Terminal.print("known: \(listings.contents)\n")
    for gap in listings.gaps { Terminal.print("  \(gap.sentence)\n") }
    let place = ShellText.quoted(folder)
    Terminal.print("next:\n\n  blemu check \(place)\n  blemu show \(place) --on exact\n")
    return .success
  }
}

extension [DeviceListing] {
  /// `3 services, 7 characteristics, 2 descriptors, 4 values`
  fileprivate var contents: String {
    let services = flatMap(\.table.services)
    let characteristics = services.flatMap(\.characteristics)
    let descriptors = characteristics.flatMap(\.descriptors)
    let values = (characteristics.map(\.value) + descriptors.map(\.value)).count { $0.first != nil }
    let counts = [
      (services.count, "service", "services"), (characteristics.count, "characteristic", "characteristics"),
      (descriptors.count, "descriptor", "descriptors"), (values, "value", "values"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0) \($0 == 1 ? $1 : $2)" }.joined(separator: ", ")
  }
}

/// The name of a device as a word that can name files: `LED Lamp 2` is `led-lamp-2`.
enum DeviceWord {
  static func write(_ name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let word = words.joined(separator: "-").drop { !$0.isLetter }
    return word.isEmpty ? "device" : String(word.prefix(Starter.longestName))
  }
}

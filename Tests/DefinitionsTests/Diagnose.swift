@testable import Definitions

/// What there is to say about a definition, as a person sees it.
///
/// The sections that every definition needs are put behind the text where it has none: what a test shows is
/// what it is about.
func diagnose(_ yaml: String, files: [String: String] = [:], bundled: [String: String] = [:]) -> String {
  load(yaml, files: files, bundled: bundled).report.trimmed
}

/// - Parameters:
///   - bundled: definitions that may be extended, by name.
///   - library: where such definitions are, in place of those.
///   - others: sections, by name, that are put behind the text where it has none of that name; one that
///     extends another has those of that one.
func load(
  _ yaml: String, files: [String: String] = [:], bundled: [String: String] = [:],
  library: (any BundledDefinitions)? = nil, others: [(Substring, String)] = standardSections
) -> LoadedDefinition {
  var text = yaml + "\n"
  let sections = text.split(separator: "\n").compactMap { $0.firstIndex(of: ":").map($0.prefix(upTo:)) }
  let isChange = sections.contains("extends")
  for (section, standard) in others where !sections.contains(section) && !yaml.hasPrefix("- ") {
    if !isChange || section == "blemu" { text += standard }
  }
  let folder: any DefinitionFolder =
    files.isEmpty ? DiskFolder(of: "device.yaml") : MemoryFolder(files: files)
  return DefinitionLoader.load(
    DefinitionFile(name: "device.yaml", text: text, folder: folder),
    bundled: library ?? MemoryLibrary(definitions: bundled))
}

let standardSections: [(Substring, String)] = [
  ("blemu", "blemu: 1\n"),
  ("name", "name: Device\n"),
  (
    "services",
    """
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify] }

    """
  ),
]

/// Bundled definitions that are nowhere on the disk; each in a folder of its own.
struct MemoryLibrary: BundledDefinitions {
  var definitions: [String: String]

  var names: [String] { definitions.keys.sorted() }

  func file(named name: String) -> DefinitionFile? {
    definitions[name].map { text in
      let folder = MemoryFolder(files: ["days.csv": "day\n7\n"], path: "/lib/\(name)/")
      return DefinitionFile(name: folder.displayName(of: "\(name).yaml"), text: text, folder: folder)
    }
  }
}

/// A folder that is nowhere on the disk.
struct MemoryFolder: DefinitionFolder {
  var files: [String: String]
  var path = ""

  func displayName(of name: String) -> String { path + name }

  func read(_ name: String) throws(FileError) -> String {
    guard let text = files[name] else { throw FileError(message: "no file '\(name)'") }
    return text
  }
}

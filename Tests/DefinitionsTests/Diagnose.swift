@testable import Definitions

/// What there is to say about a definition, as a person sees it.
///
/// The sections that every definition needs are put behind the text where it has none: what a test shows is
/// what it is about.
func diagnose(_ yaml: String, files: [String: String] = [:]) -> String {
  load(yaml, files: files).report.trimmed
}

/// - Parameter others: sections, by name, that are put behind the text where it has none of that name.
func load(
  _ yaml: String, files: [String: String] = [:], others: [(Substring, String)] = standardSections
) -> LoadedDefinition {
  var text = yaml + "\n"
  let sections = text.split(separator: "\n").compactMap { $0.firstIndex(of: ":").map($0.prefix(upTo:)) }
  for (section, standard) in others where !sections.contains(section) && !yaml.hasPrefix("- ") {
    text += standard
  }
  let folder: any DefinitionFolder =
    files.isEmpty ? DiskFolder(of: "device.yaml") : MemoryFolder(files: files)
  return DefinitionLoader.load(SourceText(name: "device.yaml", text: text), folder: folder)
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

/// A folder that is nowhere on the disk.
struct MemoryFolder: DefinitionFolder {
  var files: [String: String]

  func displayName(of name: String) -> String { name }

  func read(_ name: String) throws(FileError) -> String {
    guard let text = files[name] else { throw FileError(message: "no file '\(name)'") }
    return text
  }
}

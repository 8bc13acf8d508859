import Definitions
import DeviceModel
import Framing

/// The text of a definition file, and the files next to it that it needs.
struct DefinitionSource {
  let path: String
  let text: String
  /// The paths of the files that a copy of it needs in its folder.
  let needed: [String]

  init(_ name: String, library: DefinitionLibrary = .ofThisProgram()) throws(CommandError) {
    path = try library.find(name)
    do { text = try TextFile.read(path) } catch { throw .unreadable(error) }
    let folder = FilePath(path).folder
    let own = path
    needed = try library.load(path: path, for: NoLimits()).files.filter {
      $0 != own && FilePath($0).folder == folder
    }
  }

  /// Prints the text, and on standard error how to get the other files.
  func print() {
    Terminal.print(text)
    guard !needed.isEmpty else { return }
    let names = needed.map { FilePath($0).name }.joined(separator: ", ")
    Terminal.printError(
      "blemu: \(FilePath(path).name) needs \(names) next to it\n"
        + "  cp \(needed.map(ShellText.quoted).joined(separator: " ")) .\n")
  }
}

/// Writes words for a shell.
enum ShellText {
  /// A word as it is, or in quotes if a shell would change it.
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { isPlainByte($0) }
    return isPlain ? word : "'" + word.replacing("'", by: "'\\''") + "'"
  }

  private static func isPlainByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "@"),
      0x80...:
      true
    default: false
    }
  }
}

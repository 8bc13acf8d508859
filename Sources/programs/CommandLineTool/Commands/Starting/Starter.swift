import DefinitionWriter
import Framing

/// The files of a new definition.
struct Starter {
  /// The name of the files.
  let name: String
  /// The bundled definition that it extends; nil: it is complete.
  let base: StarterBase?

  /// Whether a word may name a device: letters, digits and hyphens, and a letter first.
  static func isName(_ word: String) -> Bool {
    guard let first = word.utf8.first, isLetter(first), word.utf8.count <= longestName else { return false }
    return word.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
  }

  /// So that the name of a file is not too long.
  static let longestName = 100

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The name for people: `my-lamp` is "My lamp".
  var title: String {
    let words = name.replacing("-", by: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The title, as far as an advertised name has room for it.
  func localName(of size: Int) -> String {
    let name = title.prefix(size)
    return String(name.last == " " ? name.dropLast() : name)
  }

  /// A text as a value of a definition. The definition itself is a text with comments, which the writer does not have.
  func quoted(_ text: String) -> String { YAMLEmitter.inline(.quoted(text)) }

  var files: [(name: String, text: String)] {
    [
      ("\(name).yaml", base.map(definition) ?? definition),
      ("\(name).transcript", base.map(transcript) ?? transcript),
      ("README.md", readme),
    ] + (base == nil ? [("\(name).svg", face)] : [])
  }

  private var readme: String {
    """
    # \(title)

    \(base.map { "A virtual Bluetooth LE peripheral like the bundled \($0.name), for blemu." }
      ?? "A virtual Bluetooth LE peripheral for blemu: a lamp that a phone switches on and off.")

        blemu check \(name).yaml     # reports every mistake, with its place
        blemu test \(name).yaml      # runs \(name).transcript, in memory
        blemu show \(name).yaml      # shows what a central will see
        blemu play \(name).yaml      # lets you play the phone's part, without Bluetooth
        blemu run \(name).yaml       # puts it on the air

    An editor with the YAML language server completes keys with `blemu schema > blemu.schema.json` and this first line of the
    definition: `# yaml-language-server: $schema=blemu.schema.json`

    ## Sources

    Where the facts about the real device are from.

    ## Not verified

    What has not been compared with the real device.

    """
  }
}

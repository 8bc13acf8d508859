import BlemuControl
import EventLoop

/// The words after the program's name.
package struct WebArguments: Hashable, Sendable {
  /// "blemu" on the keys of a telephone.
  package static let standardPlace = SocketPlace("25368")!

  package var place = standardPlace
  /// The devices that the page shows: names, and paths of sockets; empty: all that run.
  package var devices: [String] = []
  package var asksForVersion = false

  package init(_ words: some Sequence<String>) throws(WebError) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--":
        for name in words { try add(name) }
        return
      case "--version": asksForVersion = true
      case "--listen":
        guard let value = words.popFirst() else { throw .missingValue(word) }
        try listen(value)
      case _ where word.hasPrefix("--listen="): try listen(String(word.dropFirst("--listen=".count)))
      case _ where word.hasPrefix("-"): throw .unknownOption(word)
      default: try add(word)
      }
    }
  }

  private mutating func listen(_ text: String) throws(WebError) {
    guard let place = SocketPlace(text) else { throw .badPlace(text) }
    self.place = place
  }

  private mutating func add(_ name: String) throws(WebError) {
    guard name.contains("/") || ControlFolder.isName(name) else { throw .badName(name) }
    devices.append(name)
  }
}

import Bluetooth
import Definitions
import Devices

/// A definition on a command line, perhaps with its place: `hm-10@hci1`, `lamp.yaml@exact:hci0`, `hm-10@loopback`.
struct PlacedDefinition {
  let text: String
  let definition: String
  /// As after `--on`; nil: it is not said.
  let place: String?

  init(_ text: String) throws(CommandError) {
    self.text = text
    guard let at = Self.separator(in: text) else {
      (definition, place) = (text, nil)
      return
    }
    definition = String(text[..<at])
    let said = String(text[text.index(after: at)...])
    let place = AdapterChoice(said) == nil ? said : "bluez:" + said
    guard !definition.isEmpty, (try? TransportSpecification(place)) != nil else {
      throw .badPlace(said, in: text)
    }
    self.place = place
  }

  /// The `@` before the place. A path may also contain one.
  private static func separator(in text: String) -> String.Index? {
    guard let at = text.lastIndex(of: "@"), !text[at...].contains("/"), !FileSystem.exists(text) else {
      return nil
    }
    return at
  }
}

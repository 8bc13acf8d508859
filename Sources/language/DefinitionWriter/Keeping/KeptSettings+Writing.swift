import Definitions
import DeviceModel

extension KeptSettings {
  /// The whole text of a file.
  ///
  /// - Parameter values: one for each of the definition's settings.
  package static func text(
    of values: [Value], bonds: [KeptBond] = [], for definition: PeripheralDefinition
  ) -> String {
    let settings = zip(definition.settings, values).compactMap { setting, value -> YAMLValue.Entry? in
      let written = yaml(of: value)
      // Compares the written form, because `==` treats some texts with different bytes as equal, and −0 as 0.
      guard setting.isDrawn || !isSame(written, yaml(of: setting.initial)) else { return nil }
      return .init(setting.name, written)
    }
    var entries: [YAMLValue.Entry] = [
      .init("definition", .quoted(definition.name)), .init("settings", .map(settings, .block)),
    ]
    if !bonds.isEmpty { entries.add("bonds", .list(bonds.map(\.yaml), .block)) }
    return YAMLEmitter.write(.object(entries, .block))
  }

  private static func yaml(of value: Value) -> YAMLValue {
    switch value {
    case .text(let text): .quoted(text)
    case .decimal(let number): .word(DecimalText.write(number))
    case .bytes, .group: .quoted(value.description)
    case .integer, .boolean: .word(value.description)
    }
  }

  private static func isSame(_ a: YAMLValue, _ b: YAMLValue) -> Bool {
    YAMLEmitter.inline(a).utf8.elementsEqual(YAMLEmitter.inline(b).utf8)
  }
}

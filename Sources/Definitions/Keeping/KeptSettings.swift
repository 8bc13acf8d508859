import DeviceModel

/// Settings that a device keeps over a power cycle, in the form that a file has:
///
///     definition: "HM-10"
///     settings:
///       local-name: "Demo"
///
/// The file has only the settings that differ from the definition's defaults.
package enum KeptSettings {
  /// The whole text of a file.
  ///
  /// - Parameter values: one for each of the definition's settings.
  package static func text(of values: [Value], for definition: PeripheralDefinition) -> String {
    var lines: [String] = []
    for (setting, value) in zip(definition.settings, values) {
      let written = Self.text(of: value)
      // As it is written: `==` takes some texts for equal that have other bytes, and −0 for 0.
      guard !written.utf8.elementsEqual(text(of: setting.initial).utf8) else { continue }
      lines.append("  \(setting.name): \(written)\n")
    }
    return "definition: \(QuotedText.write(definition.name))\n"
      + (lines.isEmpty ? "settings: {}\n" : "settings:\n" + lines.joined())
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .text(let text): QuotedText.write(text)
    case .decimal(let number): DecimalText.write(number)
    case .bytes, .group: "\"\(value)\""
    case .integer, .boolean: value.description
    }
  }

  /// The values in a file, by the index of their setting. An empty file has none.
  package static func parse(
    _ source: SourceText, for definition: PeripheralDefinition
  ) -> Result<[Int: Value], KeptSettingsMistakes> {
    let reader = KeptSettingsReader(source, definition)
    let values = reader.read()
    guard reader.log.hasErrors else { return .success(values) }
    return .failure(KeptSettingsMistakes(source: source, diagnostics: reader.log.sorted))
  }
}

/// Why a file holds no settings for a definition.
package struct KeptSettingsMistakes: Error {
  let source: SourceText
  package let diagnostics: [Diagnostic]

  /// For people.
  package var report: String { DiagnosticRenderer([source]).render(diagnostics) }
}

import DeviceModel

/// The values that a device keeps over a power cycle, as in the file:
///
///     definition: "HM-10"
///     settings:
///       local-name: "Demo"
///     bonds:
///       - central: "4C:32:75:0A:11:9E"
///         address-type: public
///         device: "00:1A:7D:DA:71:13"
///         long-term-keys:
///           - { kind: secure-unauthenticated, role: peripheral, size: 16, ediv: 0, rand: "00 …", value: "8D …" }
///         configurations: { FFE1: notify }
///
/// The file has only the settings that differ from the definition's defaults or that a run has drawn, and `bonds` only if there are any.
package enum KeptSettings {
  /// The content of a file.
  package struct Contents: Sendable {
    /// By the index of the setting.
    package var values: [Int: Value] = [:]
    package var bonds: [KeptBond] = []
  }

  /// The contents of a file. An empty file has none.
  package static func parse(
    _ source: SourceText, for definition: PeripheralDefinition
  ) -> Result<Contents, KeptSettingsMistakes> {
    let reader = KeptSettingsReader(source, definition)
    let contents = reader.read()
    guard reader.log.hasErrors else { return .success(contents) }
    return .failure(KeptSettingsMistakes(source: source, diagnostics: reader.log.sorted))
  }
}

/// Why a file has no settings for a definition.
package struct KeptSettingsMistakes: Error {
  let source: SourceText
  package let diagnostics: [Diagnostic]

  /// For people.
  package var report: String { DiagnosticRenderer([source]).render(diagnostics) }
}

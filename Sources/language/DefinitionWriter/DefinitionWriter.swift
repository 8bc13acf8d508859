import Definitions
import DeviceModel

/// A definition as text, with the data files next to it.
package struct WrittenDefinition: Hashable, Sendable {
  package struct DataFile: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  package var text: String
  package var dataFiles: [DataFile] = []
}

/// Writes a checked definition as a person would write it.
///
/// ``DefinitionLoader`` makes an equal model of the text, for a model that is ``DeviceModel/PeripheralDefinition/flattened``.
/// The model does not keep comments, what a definition extends, shared actions without parameters and groups of rules: the text
/// has their effect in their place. Defaults are left out, and so are tables and variables without a name, which nothing may use.
package struct DefinitionWriter {
  let device: PeripheralDefinition
  /// Names for expressions outside of rules.
  let names: Names
  let sharedActions = SharedActionTexts()
  private let comments: [String: String]

  /// - Parameters:
  ///   - comments: what to say next to parts of the text, by their paths: `services/0/characteristics/2`.
  ///   - isFlat: whether the device is ``DeviceModel/PeripheralDefinition/flattened`` already.
  package init(_ device: PeripheralDefinition, comments: [String: String] = [:], isFlat: Bool = false) {
    let device = isFlat ? device : device.flattened
    self.device = device
    self.comments = comments
    names = Names(of: device)
  }

  /// - Throws: ``WritingError``.
  package func write() throws -> WrittenDefinition {
    let tables = try tables()
    var entries: [YAMLValue.Entry] = [
      .init("blemu", .number(1)), .init("name", .text(device.name)),
    ]
    if !device.summary.isEmpty { entries.add("summary", .text(device.summary)) }
    entries.add("settings", try Self.section(device.settings.map(setting)))
    entries.add("variables", try Self.section(device.variables.filter { !$0.name.isEmpty }.map(variable)))
    if !device.states.isEmpty { entries.add("states", .texts(device.states)) }
    entries.add("generators", Self.section(device.generators.map(generator)))
    entries.add("functions", Self.section(device.functions.map(function)))
    entries.add("values", try Self.section(device.values.indices.map(value)))
    entries.add("advertisement", try advertisement())
    entries.add("link", try link())
    entries.add("security", try security())
    entries.add("services", try services())
    entries.add("channels", Self.section(device.channels.map(channel)))
    entries.add("client", Self.section(device.sought.map(sought)))
    if !device.layers.isEmpty { entries.add("layers", .texts(device.layers.map(\.name))) }
    entries.add("checksums", Self.section(device.checksums.compactMap(checksum)))
    entries.add("framing", try Self.section(framing()))
    entries.add("messages", Self.section(device.namedMessages.map(message)))
    entries.add("data", Self.section(tables.entries))
    let rules = rulesAndControls
    let (written, controls) = (try rules.rules.map(rule), try rules.controls.map(control))
    entries.add("actions", Self.section(sharedActions.entries))
    if !written.isEmpty { entries.add("rules", .list(written, .block)) }
    entries.add("controls", Self.section(controls))
    entries.add("wire", try wire())
    if !device.faults.isEmpty {
      entries.add("faults", .list(device.faults.map { .text($0.description) }, .block))
    }
    return WrittenDefinition(text: text(of: entries), dataFiles: tables.files)
  }

  /// nil: there is nothing in it.
  static func section(_ entries: [YAMLValue.Entry]) -> YAMLValue? {
    entries.isEmpty ? nil : .map(entries, .block)
  }

  /// A definition of these sections, in the order of the language, with empty lines around those of several lines.
  private func text(of sections: [YAMLValue.Entry]) -> String {
    let document = YAMLValue.object(sections, .block).ordered(by: .object { Language.root })
    guard case .object(let entries, let layout) = document else { return "" }
    var (text, isLong) = ("", false)
    for var entry in entries {
      entry.value = entry.value.commented(comments, at: entry.key)
      let section = YAMLEmitter.write(.object([entry], layout))
      let wasLong = isLong
      isLong = section.count { $0 == "\n" } > 1
      if !text.isEmpty, isLong || wasLong { text += "\n" }
      text += section
    }
    return text
  }
}

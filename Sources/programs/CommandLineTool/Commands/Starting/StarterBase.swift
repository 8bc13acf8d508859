import Bluetooth
import DefinitionWriter
import Definitions
import DeviceModel
import Devices
import Transcripts

/// The bundled definition that a new one extends.
struct StarterBase {
  let name: String
  let device: String
  /// The path of its transcript.
  let transcript: String
  /// The most bytes of its setting `local-name`; nil if it has none that any text fits.
  let localNameSize: Int?
  /// The characteristics that a central finds; nil if there are none, if
  /// none can connect, or if rules already answer a connection.
  let found: [FoundCharacteristic]?
  /// The line of a transcript for what it sends to its wire side when it starts; empty: nothing.
  let greeting: String
  /// The line of a transcript for its advertising.
  let advertises: String

  init(_ name: String, library: DefinitionLibrary = .ofThisProgram()) throws(CommandError) {
    guard let path = library.path(of: name) else {
      let near = Suggestion.nearest(to: name, in: library.names)
      throw CommandError(
        .noDefinition, "there is no bundled definition '\(name)'",
        near.map { "did you mean '\($0)'?" } ?? "'blemu list' lists the bundled definitions")
    }
    guard let definition = try library.load(path: path, for: NoLimits()).definition else {
      throw .badDefinition
    }
    self.name = name
    device = definition.name
    transcript = FilePath(path).folder + name + TranscriptFinder.ending
    localNameSize = Self.localNameSize(of: definition)
    found = try? Self.found(in: definition)
    greeting =
      Self.sendsAtStart(definition)
      ? "[ wire ...                            # what it says when it starts\n" : ""
    advertises = (try? Self.advertises(definition)) ?? "not advertising"
  }

  private static func localNameSize(of definition: PeripheralDefinition) -> Int? {
    let setting = definition.settings.first { $0.name == "local-name" }
    if case .text(let size)? = setting?.kind, size > 0 { return min(size, 20) }
    return nil
  }

  private static func sendsAtStart(_ definition: PeripheralDefinition) -> Bool {
    definition.rules.contains { rule in
      rule.triggers.contains(.started) && rule.source.actions.contains { $0.hasSuffix(" to wire") }
    }
  }

  private static func advertises(_ definition: PeripheralDefinition) throws -> String {
    "advertises connectable=\(try definition.advertised(in: context(of: definition)).isConnectable)"
  }

  private static func context(of definition: PeripheralDefinition) -> EvaluationContext {
    definition.context(
      settings: definition.settings.map(\.initial), address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
  }

  private static func found(in definition: PeripheralDefinition) throws -> [FoundCharacteristic]? {
    let context = context(of: definition)
    let greets = definition.rules.contains { $0.triggers.contains(.connected) }
    guard try definition.advertised(in: context).isConnectable, !greets else { return nil }
    let limits = TransportSpecification.limitsInMemory(of: definition)
    let found = try limits.served(definition.attributes(in: context)).found()
    return found.isEmpty ? nil : found
  }
}

extension Starter {
  func definition(from base: StarterBase) -> String {
    let settings = base.localNameSize.map { size in
      """

      settings:
        local-name: { default: \(quoted(localName(of: size))) }

      """
    }
    return """
      # A device like the bundled \(base.name), with the changes below: mappings are merged key by key.
      # 'blemu show --source \(base.name)' prints what it extends, and 'blemu show \(name).yaml' the result.
      blemu: 1
      extends: \(base.name)
      name: \(quoted(title))
      summary: \(YAMLEmitter.inline(.text("\(base.device) with changes of its own")))
      \(settings ?? "")
      # Its rules come first, so they fire before those of \(base.name). An example:
      #
      # rules:
      #   - on: connect
      #     do: { log: "a central is here" }

      """
  }

  func transcript(from base: StarterBase) -> String {
    """
    # How conversations with the device should go: blemu test \(name).yaml
    # More examples, with \(base.name): \(base.transcript)

    \(base.found.map { found in
      """
      == A central finds its characteristics
      \(base.greeting)connect
      \((["finds"] + found.map(\.description)).joined(separator: " "))
      """
    } ?? """
      == It advertises
      \(base.greeting)\(base.advertises)
      """)

    """
  }
}

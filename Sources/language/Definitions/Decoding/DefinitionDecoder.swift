import DeviceModel
import Framing

/// Builds a device from a definition, and reports all mistakes in it.
///
/// Each section is read by a function whose inputs are the parts that it may refer to. The ``ShapeChecker`` has checked
/// the structure before. A part with mistakes in its structure is not read, so that each mistake is reported once.
struct DefinitionDecoder {
  let root: Node<Language.Definition>
  let log: DiagnosticLog
  private(set) var device: PeripheralDefinition
  /// The places of the device's parts.
  private(set) var places: DefinitionPlaces

  /// - Parameters:
  ///   - tree: the tree of all of a definition's files.
  ///   - files: the files themselves. Data files are read and added.
  init(_ tree: YAMLNode, files: inout DefinitionFiles, log: DiagnosticLog) {
    self.log = log
    log.gaps = DefinitionGaps(tree, log.diagnostics.filter { $0.severity == .error })
    var expander = ActionExpander(tree, log: log)
    root = Node<Language.Definition>(expander.expand(tree))
    device = PeripheralDefinition(name: root.name?.text ?? "", summary: root.summary?.text ?? "")
    places = DefinitionPlaces(root)
    device.link = LinkDecoder(log: log).link(root.link)
    guard !log.isClosed else { return }
    if !log.hasErrors, root.services.isEmpty, root.advertisement == nil {
      log.error(.emptyDevice, at: root.name?.range ?? root.place)
      return
    }
    var names = decodeValues(&files)
    device.security = SecurityDecoder(device: device, names: names, log: log).template(root.security)
    decodeAttributes(&names)
    let advertisement = AdvertisementDecoder(device, root.advertisement, names, log)
    device.advertisement = advertisement.advertisement(root.advertisement, &places)
    device.advertisement.accepted = advertisement.accepted(root.link)
    names.hasCentral = true
    decodeRules(names, files)
    device.faults = FaultDecoder(device: device, log: log).faults(root.faults, &places)
    noteUses(names.record)
    checkWire()
  }

  /// Decodes the values that expressions can use.
  private mutating func decodeValues(_ files: inout DefinitionFiles) -> NameScope {
    var names = NameScope()
    addBroken(to: &names)
    names.addAttributes(of: root.services)
    names.addChannels(root.channels)
    names.checksums = root.checksums.map { Checksum(name: $0.key.text, algorithm: .xor) } + brokenChecksums
    device.functions = names.declareFunctions(root.functions, declared: declaredNames, log: log)
    device.checksums = ChecksumDecoder(log: log).checksums(root.checksums, names)
    names.checksums = device.checksums + brokenChecksums
    device.messages = MessageDecoder(checksums: names.checksums, log: log).messages(root.messages)
    names.messages = Dictionary(device.messages.map { ($0.name, $0) }) { first, _ in first }
    names.brokenMessages = Set(root.messages.map { $0.key.text }).subtracting(names.messages.keys)
    let record = names.record
    log.didRead = { record.place(at: $0.range) }
    let settings = SettingDecoder(log: log)
    device.settings = settings.settings(root.settings, &names)
    device.variables = settings.variables(root.variables, &names)
    device.tables = TableDecoder.tables(root.tables, &names, &files, log)
    device.generators = GeneratorDecoder(tables: device.tables, log: log).generators(root.generators, &names)
    device.states = states(root.states)
    names.states = device.states
    names.hasCentral = true
    device.values = names.declareValues(root.values, log: log)
    names.hasCentral = false
    return names
  }

  /// The kinds of the named parts that functions may use, with an article.
  private var declaredNames: [String: String] {
    let names = [
      ("a setting", root.settings.map(\.key)), ("a variable", root.variables.map(\.key)),
      ("a data table", root.tables.map(\.key)), ("a generator", root.generators.map(\.key)),
      ("a value", root.values.map(\.key)),
    ]
    return Dictionary(names.flatMap { kind, names in names.map { ($0.text, kind) } }) { first, _ in first }
  }

  /// Stand for the checksums that mistakes in the structure hide.
  private var brokenChecksums: [Checksum] {
    log.gaps.names(
      hiddenIn: Language.Definition.outline.keys.checksums, except: root.checksums.map { $0.key }
    )
    .map { Checksum(name: $0, algorithm: .xor) }
  }

  /// The names that mistakes in the structure hide.
  private func addBroken(to names: inout NameScope) {
    let keys = Language.Definition.outline.keys
    log.gaps.addBroken(of: keys.settings, except: root.settings.map { $0.key }, to: &names)
    log.gaps.addBroken(of: keys.variables, except: root.variables.map { $0.key }, to: &names)
    log.gaps.addBroken(of: keys.generators, except: root.generators.map { $0.key }, to: &names)
    log.gaps.addBroken(of: keys.values, except: root.values.map { $0.key }, to: &names)
    log.gaps.addBroken(of: keys.tables, except: root.tables.map { $0.key }, to: &names)
    log.gaps.addStrays(to: &names)
    names.lacksStates = log.gaps.hasGap(in: keys.states)
    names.lacksAttributes = log.gaps.hasGap(in: keys.services)
  }

  private mutating func decodeAttributes(_ names: inout NameScope) {
    let attributes = AttributeDecoder.attributes(root.services, device.initialContext, &names, &places, log)
    (device.services, device.characteristics) = attributes
    AttributeChecker(services: root.services, places: places, log: log).check(device)
    LinkDecoder(log: log).checkNotifications(root.link, device)
    device.channels = ChannelDecoder(characteristics: device.characteristics.map(\.id), log: log)
      .channels(root.channels, &places)
    device.sought = ClientDecoder(
      characteristics: device.characteristics.map(\.id), channels: device.channels.map(\.id), log: log
    ).sought(root.client, &places)
    device.layers = LayerDecoder(device: device, log: log).layers(root.layers)
    let finder = CharacteristicFinder(device, log: log)
    device.wire = WireDecoder(finder: finder, names: names, log: log).wire(root.wire, device)
    for (index, node) in root.services.flatMap({ $0.characteristics }).enumerated()
    where device.characteristics.indices.contains(index) {
      device.characteristics[index].answers = node.answers.flatMap { finder.notifying($0) }
    }
    for framing in FramingDecoder(finder: finder, names: names, log: log).framing(root.framing) {
      switch framing.endpoint {
      case .wire: (device.wire.framing, device.wire.coding) = (framing.rule, framing.coding)
      case .layer(let index):
        (device.layers[index].framing, device.layers[index].coding) = (framing.rule, framing.coding)
      case .characteristic(let index):
        device.characteristics[index].framing = framing.rule
        device.characteristics[index].outFraming = framing.outRule
        device.characteristics[index].coding = framing.coding
      case .channel(let index):
        (device.channels[index].framing, device.channels[index].coding) = (framing.rule, framing.coding)
        device.channels[index].outFraming = framing.outRule
      case .sought(let index):
        (device.sought[index].framing, device.sought[index].coding) = (framing.rule, framing.coding)
        device.sought[index].outFraming = framing.outRule
      }
    }
  }

  private mutating func decodeRules(_ names: NameScope, _ files: DefinitionFiles) {
    let messages = root.messages.map { $0.key.text }
    if !root.controls.isEmpty {
      device.controls = ControlDecoder(device, names, log).controls(root.controls)
    }
    let entries = RuleEntry.all(in: root.rules) + RuleEntry.all(of: root.controls)
    var decoder = RuleDecoder(
      device, messages: messages, sharedActions: root.sharedActions.map { $0.key }, names: names, log: log)
    log.sharedPlaces = root.sharedActions.flatMap { $0.value.map(\.range) }
    device.rules = decoder.rules(entries, files)
    log.sharedPlaces = []
    device.sharedActions = root.sharedActions.map { ($0.key.text, $0.value.map(RuleText.action)) }
    (device.timers, device.messages) = (decoder.parts.timers, decoder.messages)
    device.timersPerCentral = decoder.parts.timersPerCentral
    places.rules = entries
    LayerChecker(layers: device.layers, rules: device.rules, uses: decoder.layerUses, log: log)
      .check(root.layers)
    guard !log.hasErrors else { return }  // parts with mistakes are missing, so others would look unused
    RuleChecker(root: root, device: device, rules: entries, names: names, log: log).check {
      NamesBeside(files, in: names)
    }
  }

  /// The values in expressions that not every transport knows.
  private mutating func noteUses(_ record: NameRecord) {
    device.linkValues = KnownValue.ofLink.filter { record.isUsed(linkValue: $0) }
    let uses = record.transportValues
    (device.transportValues, places.transportValues) = (uses.map(\.value), uses.map(\.range))
  }

  private func states(_ nodes: [Scalar]) -> [String] {
    var seen: Set<String> = []
    for node in nodes {
      if !seen.insert(node.text).inserted {
        log.error(.secondState(node.text), at: node.range)
      } else if !Identifier.isValid(node.text) {
        log.error(.notName(node.text), at: node.range)
      }
    }
    return nodes.map(\.text)
  }

  /// Reports a wire side that no bytes pass.
  private func checkWire() {
    guard let wire = root.wire, !log.hasErrors, !device.hasWireSide else { return }
    log.error(.unusedWireSide, at: wire.range)
  }
}

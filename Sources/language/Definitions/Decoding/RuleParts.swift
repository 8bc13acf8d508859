import DeviceModel

/// Finds the parts of a device that rules name, and reports unknown names.
struct RuleParts {
  let device: PeripheralDefinition
  let characteristics: CharacteristicFinder
  let log: DiagnosticLog
  private(set) var timers: [String] = []
  /// Those of which each central has its own, by index.
  private(set) var timersPerCentral: Set<Int> = []
  /// The names of the messages, including wrong ones.
  private let messageNames: [String]
  private let messages: [String: Int]
  /// The parameters of shared actions, by their names.
  private(set) var parameters: [String: [String]] = [:]
  private let slots: [String: (slot: Rule.Slot, definition: SettingDefinition)]

  init(_ device: PeripheralDefinition, messages names: [String], log: DiagnosticLog) {
    (self.device, self.log, messageNames) = (device, log, names)
    characteristics = CharacteristicFinder(device, log: log)
    messages = Dictionary(device.messages.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let variables = device.variables.enumerated().map {
      ($1.name, (slot: Rule.Slot.variable($0), definition: $1))
    }
    let settings = device.settings.enumerated().map {
      ($1.name, (slot: Rule.Slot.setting($0), definition: $1))
    }
    slots = Dictionary(variables + settings) { first, _ in first }
  }

  /// The index of a message.
  func message(_ name: Scalar) -> Int? {
    if let index = messages[name.text] { return index }
    if messageNames.contains(name.text) || log.gaps.hides(name.text, in: Self.sections.messages) {
      return nil  // it is wrong, which is reported there
    }
    let isCharacteristic = device.characteristics.contains { $0.id == name.text }
    log.error(
      isCharacteristic
        ? .characteristicAsMessage(name.text)
        : .unknownMessage(name.text, known: messageNames), at: name.range)
    return nil
  }

  /// The index of a state.
  func state(_ name: Scalar) -> Int? {
    if let index = device.states.firstIndex(of: name.text) { return index }
    guard !log.gaps.hasGap(in: Self.sections.states) else { return nil }
    log.error(.unknownState(name.text, known: device.states), at: name.range)
    return nil
  }

  /// The index of a control.
  func control(_ name: Scalar) -> Int? {
    if let (index, _) = device.control(named: name.text) { return index }
    guard !log.gaps.hides(name.text, in: Self.sections.controls) else { return nil }
    log.error(.unknownControl(name.text, known: device.controls.map(\.name)), at: name.range)
    return nil
  }

  private static var sections: Language.Definition { Language.Definition.outline.keys }

  /// A setting or a variable.
  func slot(_ name: Scalar, _ names: NameScope) -> (slot: Rule.Slot, definition: SettingDefinition)? {
    if let found = slots[name.text] { return found }
    reportUnknownSlot(name, names)
    return nil
  }

  private func reportUnknownSlot(_ key: Scalar, _ names: NameScope) {
    let name = key.text
    guard !names.isBroken(name), Identifier.isValid(name) else { return }
    if names.values[name] == nil {
      let known = (device.variables + device.settings).map(\.name)
      if !log.isConsequence(key) { log.error(.unknownSlot(name, known: known), at: key.range) }
    } else {
      log.error(.notSlot(name), at: key.range)
    }
  }

  /// A setting or a variable that a person can set, with one value for the whole device.
  func outsideSlot(_ name: Scalar, _ names: NameScope) -> Rule.Slot? {
    guard let (slot, definition) = slot(name, names) else { return nil }
    if definition.isPerCentral {
      log.error(.ofEachCentral(name.text), at: name.range)
      return nil
    }
    return slot
  }
}

// MARK: Shared actions

extension RuleParts {
  /// Shared actions declare their parameters, which hide nothing but the fields of a message.
  mutating func declareParameters(of actions: [Scalar], _ names: NameScope) {
    for key in actions {
      guard let signature = Signature(key.text) else { continue }
      guard parameters[signature.name] == nil else {
        log.error(.second(signature.name), at: key.range)
        continue
      }
      parameters[signature.name] = signature.parameters ?? []
      names.checkParameters(of: signature, at: key, log)
    }
  }
}

// MARK: Timers

extension RuleParts {
  private static let mostTimers = 256

  /// Actions declare the timers that they start, and of which each central has its own.
  mutating func declareTimers(in actions: [Node<Language.Action>]) {
    for action in actions.withInner {
      guard let name = action.start else { continue }
      let index = timers.firstIndex(of: name.text) ?? timers.endIndex
      if index == timers.endIndex {
        timers.append(name.text)
        if action.owner != nil { timersPerCentral.insert(index) }
      } else if timersPerCentral.contains(index) != (action.owner != nil) {
        log.error(.timerOfBoth(name.text), at: name.range)
      }
      guard timers.count <= Self.mostTimers else {
        return log.close(with: .tooManyTimers(most: Self.mostTimers), at: name.range)
      }
    }
  }

  /// The index of a timer.
  func timer(_ name: Scalar) -> Int? {
    if let index = timers.firstIndex(of: name.text) { return index }
    let rules = Self.sections.rules
    guard !log.gaps.hasGap(in: rules), !log.gaps.hides(name.text, in: rules) else { return nil }
    log.error(.unknownTimer(name.text, known: timers), at: name.range)
    return nil
  }
}

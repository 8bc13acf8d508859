import DeviceModel
import Framing

/// Resetting the device.
extension Engine {
  /// How often the device has been reset.
  package var resetCount: Int { life.resetCount }

  /// Restores the initial state except the settings, ends all connections, and starts again.
  mutating func reset() {
    for timer in timers.running.keys.sorted() { stopTimer(timer) }
    for number in waits.rules.keys.sorted() { turn.actions.append(.stopTimer(.wait(number))) }
    for key in streams.framers.keys.sorted() where streams.framers[key]?.deadline != nil {
      turn.actions.append(.stopTimer(.frameGap(key)))
    }
    waits.rules = [:]
    streams.framers = [:]
    streams.held = [:]
    (streams.passing, streams.sent, streams.pieces) = ([:], [:], [:])
    forgetAwaitedFrames()
    turn.consequences.removeAll()
    centralVariables.reset()
    context.variables = definition.variables.map(\.initial)
    state = 0
    context.state = definition.states.first ?? ""
    life.beginAgain(at: turn.now)
    context.uptime = 0
    generators = GeneratorValues(definition.generators, seed: options.seed)
    generators.update(&context.generators, at: 0, tables: definition.tables)
    if !links.centrals.isEmpty { turn.actions.append(.disconnect(nil)) }
    if let scheme = try? definition.advertisement.scheme(in: context) { noteAddress(scheme) }
    updateTable()
    do { attributes = try AttributeValues(definition, in: context) } catch {
      remark(.logged("the attributes keep their values: \(error)"))
    }
    changeAllAddresses()
    advertising.isWanted = true
    updateAdvertising(renewed: true)
    updateBaud()
    turn.hasReset = true
    turn.consequences.add(.started)
  }

  /// Applies the speed of the wire side for the present values.
  mutating func updateBaud() {
    do {
      guard let new = try definition.wire.baud(in: context), new != baud else { return }
      baud = new
      turn.actions.append(.setBaud(new))
      remark(.logged("the wire side has \(new) baud"))
    } catch {
      remark(.logged("the wire side keeps its \(baud ?? 0) baud: \(error)"))
    }
  }

  /// Applies the attributes for the present settings.
  private mutating func updateTable() {
    do {
      let new = try definition.attributes(in: context)
      guard new != table else { return }
      if let problem = limits.problem(with: new, of: definition) { return keepTable(because: problem) }
      table = new
      updateHandles()
      turn.actions.append(.serve(new))
    } catch {
      keepTable(because: "\(error)")
    }
  }

  private mutating func keepTable(because problem: String) {
    remark(.logged("the attributes stay as they were: \(problem)"))
  }
}

import DeviceModel
import Framing

/// Resetting the device.
extension Engine {
  /// Restores the initial state except the settings, ends all connections, and starts again.
  mutating func reset() {
    for timer in timers.keys.sorted() { stopTimer(timer) }
    for number in waiting.keys.sorted() { actions.append(.stopTimer(.wait(number))) }
    for key in framers.keys.sorted() where framers[key]?.deadline != nil {
      actions.append(.stopTimer(.frameGap(key)))
    }
    waiting = [:]
    framers = [:]
    held = [:]
    forgetAwaitedFrames()
    consequences = Consequences()
    centralVariables.reset()
    context.variables = definition.variables.map(\.initial)
    state = 0
    context.state = definition.states.first ?? ""
    beginning = now
    context.uptime = 0
    generators = GeneratorValues(definition.generators, seed: options.seed)
    generators.update(&context.generators, at: 0, tables: definition.tables)
    if !centrals.isEmpty { actions.append(.disconnect(nil)) }
    updateTable()
    do { (values, descriptorValues) = try definition.initialValues(in: context) } catch {
      remark(.logged("the attributes keep their values: \(error)"))
    }
    wantsAdvertising = true
    updateAdvertising(renewed: true)
    updateBaud()
    hasReset = true
    resetCount += 1
    consequences.add(.started)
  }

  /// Applies the speed of the wire side for the present values.
  mutating func updateBaud() {
    do {
      guard let new = try definition.wire.baud(in: context), new != baud else { return }
      baud = new
      actions.append(.setBaud(new))
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
      actions.append(.serve(new))
    } catch {
      keepTable(because: "\(error)")
    }
  }

  private mutating func keepTable(because problem: String) {
    remark(.logged("the attributes stay as they were: \(problem)"))
  }
}

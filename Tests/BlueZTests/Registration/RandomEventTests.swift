import TestSupport
import Testing

@testable import BlueZ

/// What holds whatever happens, in whatever order.
@Suite struct RandomEventTests {
  @Test(arguments: UInt64(1)...20)
  func `bluetoothd never gets a call that it cannot handle`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var observed = Observed()
    for _ in 0..<1000 { observed.take(observed.step(using: &random)) }
  }

  /// After whatever has happened, a device that leaves gets off the air, and nothing of it stays with bluetoothd.
  @Test(arguments: UInt64(1)...100)
  func `a device that leaves takes everything back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var observed = Observed()
    for step in Situation.all.randomElement(using: &random)! { observed.take(step) }
    for _ in 0..<Int.random(in: 0..<30, using: &random) {
      let step = observed.step(using: &random)
      if step != .leave { observed.take(step) }
    }
    for step in [Step.leave, .done, .done, .done] { observed.take(step) }
    #expect(observed.machine.state == .closed)
  }
}

/// A machine, and a model of the calls and notices that it has made.
private struct Observed {
  private(set) var machine = RegistrationStateMachine()
  private var observer = Observer()

  /// Any; three times in four one that leads on, so that every state is reached.
  func step(using random: inout SplitMix64) -> Step {
    guard Int.random(in: 0..<4, using: &random) > 0 else {
      return Step.allCases.randomElement(using: &random)!
    }
    let steps: [Step] =
      switch machine.state {
      case .closed: [.opened, .openedOff]
      case .opened: [.goOnAir]
      case .onAir where machine.state.ticket == nil: [.advertiseSecond, .serveOthers, .adaptersChanged]
      case .waiting(_, .noBluetoothd): [.anotherBluetoothd]
      default: [.done, .sawReady]
      }
    return steps.randomElement(using: &random)!
  }

  mutating func take(_ step: Step) {
    let event = step.event(in: machine.state)
    observer.take(event, machine.state)
    let before = machine
    let effects = machine.handle(event)
    if step == .unanswered, machine.state.ticket != before.state.ticket { observer.giveUp() }
    if step == .late { #expect(machine == before && effects.isEmpty) }
    for effect in effects { observer.take(effect) }
    observer.expectOrder(machine.state)
  }
}

private struct Observer {
  private var owner: BusOwner?
  private var pending: (call: RegistrationCall, bluetoothd: BusOwner, ticket: Ticket)?
  /// nil: not on the air yet, or no more.
  private var isOnAir: Bool?

  mutating func take(_ event: RegistrationEvent, _ state: RegistrationState) {
    switch event {
    case .opened(let bluetoothd, _): if state == .closed { owner = bluetoothd }
    case .ownerChanged(let next):
      owner = next
      if pending?.bluetoothd != next { pending = nil }
    case .ended(let ticket, _): if ticket == pending?.ticket { pending = nil }
    default: break
    }
  }

  /// The machine waits no longer for a call.
  mutating func giveUp() { pending = nil }

  mutating func take(_ effect: RegistrationEffect) {
    switch effect {
    case .call(let call, _, of: let bluetoothd, let ticket): take(call, bluetoothd, ticket)
    case .pause: break
    case .tell(let notice): take(notice)
    }
  }

  /// One call at a time; only taking back need not wait, and then for a look or a new name.
  private mutating func take(_ call: RegistrationCall, _ bluetoothd: BusOwner, _ ticket: Ticket) {
    if let pending, pending.bluetoothd == bluetoothd {
      #expect([.unregisterAdvertisement, .unregisterApplication].contains(call))
      #expect(pending.call == .look || pending.call.isAlias, "\(call) during \(pending.call)")
    }
    pending = (call, bluetoothd, ticket)
  }

  private mutating func take(_ notice: RegistrationNotice) {
    switch notice {
    case .wentOnAir:
      #expect(isOnAir == nil)
      isOnAir = true
    case .cannotGoOnAir: #expect(isOnAir == nil)
    case .fellOffAir:
      #expect(isOnAir == true)
      isOnAir = false
    case .cameBackOnAir:
      #expect(isOnAir == false)
      isOnAir = true
    case .left: (isOnAir, pending) = (nil, nil)
    case .warning: break
    }
  }

  /// The host's view matches the state.
  func expectOrder(_ state: RegistrationState) {
    switch state {
    case .closed, .opened: #expect(isOnAir == nil)
    case .onAir: #expect(isOnAir == true)
    case .switchedOff, .waiting: #expect(isOnAir == false)
    case .registering(_, let it): #expect(isOnAir == it.standing.isOnAir)
    case .takingBack(_, let it): #expect(isOnAir == it.standing.isOnAir)
    case .leaving: break
    }
  }
}

extension RegistrationCall {
  fileprivate var isAlias: Bool { if case .setAlias = self { true } else { false } }
}

extension Standing {
  fileprivate var isOnAir: Bool? {
    switch self {
    case .starting: nil
    case .offAir: false
    case .onAir: true
    }
  }
}

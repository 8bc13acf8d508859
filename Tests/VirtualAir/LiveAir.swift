import Bluetooth
import ControllerModel
import EventLoop
import Exact
import Framing
import Kernel
import TestSupport

/// An ``Air`` in the time of the loop, with a controller for a device and one for a central.
@EventLoop
final class LiveAir {
  private var air: Air
  private let controllers: [Air.ControllerID]
  /// The ends of the connections from the hosts to the controllers.
  private var sockets: [Air.ControllerID: PacketSocket] = [:]
  private var turnEnd: EventLoop.TurnEnd?
  private var timer: EventLoop.Timer?
  /// Reset, as a command.
  private static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
  private static let longestPacket = 4096

  /// - Parameter traits: those of a controller with an address.
  init(_ traits: (DeviceAddress) -> ControllerTraits) {
    var air = Air()
    controllers = (1...2).map { air.add(traits(DeviceAddress([0, 0, 0, 0, 0, $0])!)) }
    self.air = air
    turnEnd = EventLoop.TurnEnd { [weak self] in self?.work() }
    timer = EventLoop.Timer { [weak self] in self?.turnEnd?.schedule() }
  }

  var device: ImitatedController { imitation(of: controllers[0], named: "device") }
  var central: ImitatedController { imitation(of: controllers[1], named: "central") }

  /// What the hosts have done that no host may do.
  var mistakes: [HostMistake] { controllers.flatMap(air.mistakes(by:)) }

  /// Moves the central out of range until the link has broken off.
  func breakLink() async {
    change { $0.setInRange(controllers[1], false) }
    await EventLoop.pause(.seconds(5))
    change { $0.setInRange(controllers[1], true) }
  }

  private func change(_ body: (inout Air) -> Void) {
    advance()
    body(&air)
    turnEnd?.schedule()
  }

  private func advance() { air.advance(to: Instant(microseconds: EventLoop.now)) }

  /// Lets happen what is due, and gives the hosts what there is for them.
  private func work() {
    advance()
    for controller in controllers {
      for packet in air.take(from: controller) { _ = sockets[controller]?.send(packet) }
    }
    if let next = air.nextInstant { timer?.fire(at: next.microseconds) } else { timer?.cancel() }
  }
}

// MARK: Hosts

extension LiveAir {
  private func imitation(of controller: Air.ControllerID, named name: String) -> ImitatedController {
    ImitatedController(name) { self.connect(to: controller) }
  }

  private func connect(to controller: Air.ControllerID) -> ControllerConnection {
    let (own, host) = pairOfSockets()
    let socket = PacketSocket(adopting: own, longest: Self.longestPacket)
    socket.onPacket = { [weak self] packet in self?.change { $0.send(Array(packet), to: controller) } }
    socket.onEnd = { [weak self] _ in self?.reset(controller) }
    reset(controller)
    sockets[controller] = socket
    return ControllerConnection(adopting: host, of: .adapter(0), .ofKernel)
  }

  /// The controller has no host, or not yet.
  private func reset(_ controller: Air.ControllerID) {
    sockets[controller] = nil
    change {
      _ = $0.take(from: controller)
      $0.send(Self.reset, to: controller)
      _ = $0.take(from: controller)
    }
  }
}

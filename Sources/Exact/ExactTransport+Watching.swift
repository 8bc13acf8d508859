import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Management
import PairingAgent
import Peripheral

// The controller's reports about the links.
extension ExactTransport {
  /// When the controller is asked for the signal: it needs some packets to measure.
  private static let measuring = Duration.seconds(1)
  /// How long to wait before asking for other parameters again.
  private static let pause = Duration.milliseconds(100)
  private static let mostEarlyQuestions = 20

  /// Asks the central for the parameters that the device prefers and, for the log, the controller for the values that it does
  /// not report by itself.
  func begin(_ link: WatchedLink, _ peer: LinkAddress) {
    if let delay = server.device?.definition.link.askAfter { ask(link, after: delay) }
    guard host?.isLogging == true else { return }
    link.measuring = EventLoop.after(Self.measuring) { [weak self, weak link] in
      if let self, let link { measure(link, peer) }
    }
  }

  private func measure(_ link: WatchedLink, _ peer: LinkAddress) {
    guard let keeper, link.reason == nil else { return }
    watch.askForPHYs(of: link)
    let (management, index) = (keeper.management, keeper.controller.index)
    EventLoop.start { [weak self] in
      let information = try? await management.connectionInformation(peer, on: index)
      self?.tell(of: link, rssi: information?.rssi)
    }
  }

  /// The controller has answered the question for the PHYs before that for the signal.
  private func tell(of link: WatchedLink, rssi: Int8?) {
    watch.catchUp()
    guard let central = link.central, watched[central] === link, link.reason == nil else { return }
    let change = LinkChange(phys: link.phys, rssi: rssi)
    if change != LinkChange() { server.linkChanged(central, change) }
  }

  private func ask(_ link: WatchedLink, after delay: Duration) {
    link.asking = EventLoop.after(delay) { [weak self, weak link] in
      guard let self, let link, let preferred = server.device?.definition.link.preferred else { return }
      watch.ask(link, for: preferred)
    }
  }

  func take(_ notice: LinkWatch.Notice, of link: WatchedLink) {
    guard let central = link.central else { return }
    switch notice {
    case .changed(let change): server.linkChanged(central, change)
    case .cannotAsk(let error):
      host?.warn("the adapter cannot ask \(central) for the device's connection parameters: \(error)")
    case .refusesParameters(.unknownConnectionIdentifier) where link.earlyQuestions < Self.mostEarlyQuestions:
      // Linux as a central answers so until it has read the peripheral's features (`hci_le_remote_conn_param_req_evt`
      // of net/bluetooth/hci_event.c).
      link.earlyQuestions += 1
      ask(link, after: Self.pause)
    case .refusesParameters(let error):
      host?.warn("\(central) refuses the device's connection parameters: \(error)")
    case .keyMissing: host?.warn(PairingPolicy.missingKey(of: central, server.device?.pairing))
    case .encryptionFailed(let error): host?.warn(PairingPolicy.encryptionFailed(with: central, error))
    }
  }
}

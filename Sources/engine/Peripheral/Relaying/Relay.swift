import Behavior
import Bluetooth
import EventLoop

/// A device that answers what no rule of a relay answers.
@EventLoop
package protocol Relay: AnyObject {
  var host: (any RelayHost)? { get set }

  /// The address of the device, by which the relay must not be known itself.
  var address: DeviceAddress { get }

  /// Takes a read, a write or a subscription of a central.
  ///
  /// - Parameter respond: called once with the device's answer.
  func take(_ event: Event, respond: @escaping Responder)
}

/// The relay before such a device.
@EventLoop
package protocol RelayHost: AnyObject {
  /// Sends a value of the device to the subscribers.
  func passOn(_ value: [UInt8], from characteristic: Int)
  /// The device has gone, for this reason: no central can use the relay until ``deviceReturned()``.
  func deviceLeft(_ reason: String)
  func deviceReturned()
  /// Reports a problem that does not end the relay.
  func warn(_ message: String)
}

extension LivePeripheral: RelayHost {
  package func passOn(_ value: [UInt8], from characteristic: Int) {
    receive(.intervention(.passOn(value, from: characteristic)))
  }

  package func deviceLeft(_ reason: String) {
    warn("the device has gone (\(reason)); looking for it")
    receive(.controlled(.advertise(false)))
    receive(.controlled(.disconnect(nil, .remoteUserTerminated)))
  }

  package func deviceReturned() {
    report(.log("the device is there again"))
    receive(.controlled(.advertise(true)))
  }
}

extension Pipeline {
  /// Gives the events of an ``Action/relay(_:)`` to the device.
  ///
  /// - Parameter respond: gets the answer to the last of them.
  func relay(_ events: [Event], _ respond: Responder?) {
    for (index, event) in events.enumerated() {
      let responder = index == events.count - 1 ? respond : nil
      guard let relay else {
        responder?(.refused(.unlikelyError))
        continue
      }
      relay.take(event) { [weak self] response in
        self?.receive(.intervention(.relayed(event, response)), respond: responder)
      }
    }
  }
}

extension Outcome {
  /// Whether the device behind a relay answers a read or a subscription, which the log shows with the answer.
  func isAwaited(for event: Event) -> Bool {
    guard response == nil else { return false }
    switch event {
    case .readRequested, .configuring: return actions.contains(.relay([event]))
    default: return false
    }
  }
}

package import BlemuJSON
import Glibc

/// A connection to a running device. It waits for each answer.
package final class ControlConnection {
  private let socket: DeviceSocket
  private var lines = MessageLines()
  private var count = 0
  /// Events that came while an answer was awaited.
  private var events: [JSONValue] = []

  /// Connects to the device with this name, or at this socket if there is a `/` in it.
  ///
  /// - Parameter patience: how long to wait for each answer, whole seconds; nil: for ever.
  package init(to name: String, patience: Int? = nil) throws(ControlFailure) {
    socket = try DeviceSocket.connected(to: name, patience: patience)
  }

  /// The names of the devices that answer.
  package static var running: [String] { DeviceSocket.running }

  /// Connects without waiting to the device with this name, or at this socket if there is a `/` in it.
  ///
  /// - Returns: a descriptor in non-blocking mode, which the caller closes.
  /// - Throws: ``ControlFailure/noAnswer`` if the device takes no further connection now.
  package static func descriptor(to name: String) throws(ControlFailure) -> Int32 {
    try DeviceSocket.connected(to: name, flags: Int32(SOCK_NONBLOCK.rawValue)).release()
  }

  /// Whether a device with this name, or with this socket if there is a `/` in it, runs. It does not wait.
  package static func isRunning(_ name: String) -> Bool {
    guard name.contains("/") || (try? ControlFolder.check()) != nil else { return false }
    return isAnswering(at: ControlFolder.socket(of: name))
  }

  /// Whether a device has a socket at this path.
  package static func isAnswering(at path: String) -> Bool { DeviceSocket.isAnswering(at: path) }
}

extension ControlConnection {
  /// Asks for something, and waits for the answer.
  ///
  /// - Parameter parameters: an object.
  /// - Throws: ``ControlFailure/refused(_:)`` if the device refuses.
  package func call(_ method: ControlMethod, _ parameters: JSONValue = [:]) throws(ControlFailure)
    -> JSONValue
  {
    count += 1
    try send(method.request(number: count, parameters))
    while true {
      switch try nextMessage() {
      case .response(count, .success(let result)): return result
      case .response(count, .failure(let error)), .response(nil, .failure(let error)): throw .refused(error)
      case .response: throw .notUnderstood("an answer to another request")
      case .notification("event", let event): events.append(event)
      case .notification, .request: continue
      }
    }
  }

  /// Waits for the next event of a watch, and returns its parameters.
  package func nextEvent() throws(ControlFailure) -> JSONValue {
    if !events.isEmpty { return events.removeFirst() }
    while true {
      if case .notification("event", let event) = try nextMessage() { return event }
    }
  }

  private func send(_ line: [UInt8]) throws(ControlFailure) {
    var rest = line[...]
    while !rest.isEmpty {
      switch socket.send(rest) {
      case .passed(let count): rest = rest.dropFirst(count)
      case .none: throw .noAnswer
      case .ended: throw .ended
      }
    }
  }

  private func nextMessage() throws(ControlFailure) -> ControlMessage {
    while true {
      if let line = lines.next() { return try ControlMessage(line: line) }
      switch socket.receive(into: &lines) {
      case .passed: continue
      case .none: throw .noAnswer
      case .ended: throw .ended
      }
    }
  }
}

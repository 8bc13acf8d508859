import BlemuControl
import BlemuJSON
import EventLoop

/// Asks a device for something, once, without blocking the loop.
@EventLoop
final class DeviceQuestion {
  /// How long a device may take. One whose process is stopped never answers.
  static let patience = Duration.seconds(5)

  private let device: DeviceConnection
  private var onAnswer: ((JSONValue?) -> Void)?
  private var limit: EventLoop.Timer?

  /// - Parameter onAnswer: gets the result; nil: the device has none, or has ended, or does not answer.
  init(
    _ method: ControlMethod, to name: String, _ onAnswer: @escaping (JSONValue?) -> Void
  ) throws(ControlFailure) {
    device = try DeviceConnection(to: name)
    self.onAnswer = onAnswer
    // The handlers hold the question until there is an answer.
    device.onLines = { lines in self.take(lines) }
    device.onEnd = { self.finish(nil) }
    device.onLongLine = { self.finish(nil) }
    limit = EventLoop.after(Self.patience) { self.finish(nil) }
    device.send(line: String(decoding: method.request(number: 1, [:]).dropLast(), as: UTF8.self))
    device.read()
  }

  private func take(_ lines: [[UInt8]]) {
    for line in lines {
      guard case .response(_, let result) = try? ControlMessage(line: line) else { continue }
      return finish(try? result.get())
    }
  }

  private func finish(_ result: JSONValue?) {
    let answer = onAnswer
    (onAnswer, limit) = (nil, nil)
    device.end()
    answer?(result)
  }
}

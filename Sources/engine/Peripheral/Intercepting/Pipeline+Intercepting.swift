import Behavior
import Bluetooth
import DeviceModel
import EventLoop

extension Pipeline {
  /// The parts of an event that interceptors can take, in the order in which they are asked: a read, a write, the message that
  /// a value is by itself. Empty: the event has none, or the device refuses it.
  func offers(of event: Event) -> [InterceptedEvent] {
    switch event {
    case .readRequested(let central, let attribute, _):
      return [InterceptedEvent(.read(central, names.name(of: attribute), [], refused: nil))]
    case .writeRequested(let central, let attribute, let value, let offset, let kind):
      guard engine.problem(writing: value, to: attribute, at: offset) == nil else { return [] }
      let write = InterceptedEvent(.write(central, names.name(of: attribute), value, kind, refused: nil))
      guard case .characteristic(let index) = attribute else { return [write] }
      return offers(of: write, value, on: StreamKey(central: central, endpoint: .characteristic(index)))
    default: return []
    }
  }

  private func offers(of write: InterceptedEvent, _ value: [UInt8], on key: StreamKey) -> [InterceptedEvent] {
    let isFramed = engine.isFramed(key.endpoint)
    let write = InterceptedEvent(write.kind, isPart: isFramed)
    guard let message = engine.message(in: value, on: key), isFramed || message != value else {
      return [write]
    }
    let name = names.name(of: key.endpoint)
    return [write, InterceptedEvent(.frame(key.central, name, message, isSent: false))]
  }
}

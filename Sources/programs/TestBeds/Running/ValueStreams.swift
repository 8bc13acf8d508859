import Behavior
import DeviceModel
import EventLoop
import Framing
import Peripheral
import Transcripts

/// Puts the values that the other end of a stream receives into the inbox, decoded. Values of a framed stream are first joined
/// into frames.
@EventLoop
package final class ValueStreams {
  private let definition: PeripheralDefinition
  private let inbox: Inbox
  private let scheduler: any Scheduler
  /// The name of a further central that they belong to.
  private let central: String?
  private var framers: [Endpoint: Framer] = [:]
  private var timers: [Endpoint: AnyObject] = [:]
  /// The device, which knows the values that its encodings depend on.
  package weak var peripheral: LivePeripheral?

  package init(
    _ definition: PeripheralDefinition, _ inbox: Inbox, _ scheduler: any Scheduler, of central: String? = nil
  ) {
    self.central = central
    self.definition = definition
    self.inbox = inbox
    self.scheduler = scheduler
    for (index, characteristic) in definition.characteristics.enumerated() {
      framers[.characteristic(index)] = characteristic.sentFraming.map { Framer($0) }
    }
    for (index, channel) in definition.channels.enumerated() {
      framers[.channel(index)] = channel.sentFraming.map { Framer($0) }
    }
    for (index, sought) in definition.sought.enumerated() {
      framers[.sought(index)] = sought.sentFraming.map { Framer($0) }
    }
    if definition.wire.coding?.joinsAtPeer == true {
      framers[.wire] = definition.wire.framing.map { Framer($0) }
    }
  }

  /// Takes the value of one notification or indication, or bytes out of the wire side.
  package func take(_ value: [UInt8], from endpoint: Endpoint) {
    let plain = decoded(value, from: endpoint) { try peripheral?.decodedByPeer(value: value, from: endpoint) }
    guard let outputs = framers[endpoint]?.append(plain, at: scheduler.now) else {
      return deliver(plain, from: endpoint)
    }
    take(outputs, from: endpoint)
  }

  /// The bytes that do not form a whole frame yet; nil if there are none.
  func unfinished(from endpoint: Endpoint) -> [UInt8]? {
    guard let bytes = framers[endpoint]?.pending, !bytes.isEmpty else { return nil }
    return bytes
  }

  /// Delivers incomplete frames of a central after the end of the connection.
  package func end() {
    for endpoint in endpoints where endpoint != .wire {
      timers[endpoint] = nil
      take(framers[endpoint]?.finish() ?? [], from: endpoint)
    }
  }

  /// Delivers frames, and also bytes outside any frame, so that nothing is lost.
  private func take(_ outputs: [FramerOutput], from endpoint: Endpoint) {
    let joinsFrames = definition.coding(of: endpoint)?.joinsAtPeer == true
    for output in outputs {
      switch output {
      case .frame(let bytes) where joinsFrames:
        guard !bytes.isEmpty else { continue }
        deliver(
          decoded(bytes, from: endpoint) { try peripheral?.decodedByPeer(frame: bytes, from: endpoint) },
          from: endpoint)
      case .frame(let bytes), .discarded(let bytes, _): deliver(bytes, from: endpoint)
      }
    }
    timers[endpoint] = framers[endpoint]?.deadline.map { deadline in
      scheduler.schedule(at: deadline) { [weak self] in self?.expire(endpoint) }
    }
  }

  /// Those with frames: the characteristics and the channels in the order of the definition, then the wire side.
  private var endpoints: [Endpoint] {
    let all =
      definition.characteristics.indices.map { Endpoint.characteristic($0) }
      + definition.channels.indices.map { .channel($0) } + definition.sought.indices.map { .sought($0) } + [
        .wire
      ]
    return all.filter { framers[$0] != nil }
  }

  private func expire(_ endpoint: Endpoint) {
    take(framers[endpoint]?.expire(at: scheduler.now) ?? [], from: endpoint)
  }

  private func deliver(_ bytes: [UInt8], from endpoint: Endpoint) {
    inbox.append(Arrival(at: scheduler.now, from: .place(endpoint).at(central), bytes))
  }

  /// Bytes that cannot be decoded stay unchanged, and a remark says why.
  private func decoded(
    _ bytes: [UInt8], from endpoint: Endpoint, _ decode: () throws -> [UInt8]?
  ) -> [UInt8] {
    do { return try decode() ?? bytes } catch {
      let name = definition.name(of: endpoint)
      inbox.append(
        LogRemark(
          time: scheduler.now, text: "! \(name)  \(ValueText.write(bytes))  cannot be decoded: \(error)"))
      return bytes
    }
  }
}

import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing
import Learning
import Loopback
import Peripheral

/// Plays recorded conversations with a device in memory, on virtual time: each request at its recorded time, each conversation
/// on a link of its own, with one device that runs all the time.
@EventLoop
package final class Rehearsal {
  private let definition: PeripheralDefinition
  private let recorded: ObservedTable
  private let scheduler: ManualScheduler
  private let transport: LoopbackTransport
  private let peripheral: LivePeripheral

  /// - Parameters:
  ///   - table: the attributes to which the conversations refer.
  ///   - address: that of the adapter; nil: any.
  package init(of definition: PeripheralDefinition, table: ObservedTable, address: DeviceAddress? = nil) {
    (self.definition, recorded) = (definition, table)
    let scheduler = ManualScheduler()
    self.scheduler = scheduler
    transport =
      address.map { LoopbackTransport(address: $0, scheduler: scheduler) }
      ?? LoopbackTransport(scheduler: scheduler)
    peripheral = LivePeripheral(
      definition, settings: definition.settings.map(\.initial), transport: transport, scheduler: scheduler,
      sinks: [])
  }

  /// The conversations as the device leads them: the same requests in the same order, with its own responses and values. Handles
  /// and times are those of the recording.
  ///
  /// - Throws: ``TransportError`` if the device cannot start.
  package static func play(
    _ conversations: [Conversation], table: ObservedTable, with definition: PeripheralDefinition,
    address: DeviceAddress? = nil
  ) async throws -> [Conversation] {
    let rehearsal = Rehearsal(of: definition, table: table, address: address)
    try await rehearsal.peripheral.start()
    let played = conversations.map(rehearsal.play)
    await rehearsal.peripheral.stop()
    return played
  }

  /// The variables of the device before each of the conversations that it leads.
  ///
  /// - Throws: ``TransportError`` if the device cannot start.
  static func variables(
    before conversations: [Conversation], table: ObservedTable, of definition: PeripheralDefinition,
    address: DeviceAddress? = nil
  ) async throws -> [[Value]] {
    let rehearsal = Rehearsal(of: definition, table: table, address: address)
    try await rehearsal.peripheral.start()
    let variables = conversations.map { conversation in
      let variables = rehearsal.peripheral.context?.variables ?? []
      _ = rehearsal.play(conversation)
      return variables
    }
    await rehearsal.peripheral.stop()
    return variables
  }

  private var handles: HandleMap? {
    guard let device = transport.device else { return nil }
    return HandleMap(
      recorded: recorded, definition: definition, table: device.table,
      handles: transport.handles?(definition, device.table) ?? [:])
  }
}

// MARK: One conversation

extension Rehearsal {
  /// How long after its end a conversation may still bring values that came earlier in the recording.
  private static let patience = Duration.seconds(2)
  /// The time between two conversations.
  private static let pause = Duration.seconds(1)

  private func play(_ conversation: Conversation) -> Conversation {
    guard let handles, let begin = conversation.start ?? conversation.exchanges.first?.time else {
      return conversation
    }
    let shift = begin.duration(to: scheduler.now)
    let link = RehearsalLink(transport, scheduler, encryptsOnDemand: conversation.encryptsOnDemand)
    if conversation.mtu > AttributePDU.defaultMTU { link.exchange(mtu: conversation.mtu) }
    for earlier in conversation.earlierSubscriptions(in: recorded) {
      guard let configuration = handles.configuration(of: earlier.handle) else { continue }
      _ = link.write(ClientConfiguration(earlier.delivery).bytes, to: configuration, .request)
    }
    var played = conversation
    played.exchanges = []
    for exchange in conversation.exchanges {
      link.wait(until: exchange.time.advanced(by: shift))
      if conversation.isEncrypted(at: exchange) { link.encrypt() }
      if let response = perform(exchange, on: link, handles) { played.exchanges.append(response) }
    }
    finish(conversation, on: link, shift)
    played.end = link.lost.map { .init(time: $0.advanced(by: .zero - shift), reason: nil, by: .peripheral) }
    played.exchanges += values(of: conversation, from: link, handles, shift)
    played.exchanges = played.exchanges.enumerated().sorted {
      ($0.element.time.microseconds, $0.offset) < ($1.element.time.microseconds, $1.offset)
    }.map(\.element)
    scheduler.advance(by: Self.pause)
    return played
  }

  /// The request with the device's response; nil: the exchange is no request.
  private func perform(_ exchange: Exchange, on link: RehearsalLink, _ handles: HandleMap) -> Exchange? {
    var played = exchange
    let handle = handles.handle(of: exchange.handle)
    switch exchange.kind {
    case .value: return nil
    case .read(let outcome):
      let count = if case .success(let value) = outcome { value.count } else { 0 }
      played.kind = .read(handle.map { link.read($0, upTo: count) } ?? .unknown)
    case .write(let value, let kind, _):
      let outcome = handle.map { link.write(value, to: $0, kind) }
      played.kind = .write(value, kind, outcome ?? .unknown)
    }
    return played
  }

  /// Waits for the last values, and disconnects.
  private func finish(_ conversation: Conversation, on link: RehearsalLink, _ shift: Duration) {
    let last = [conversation.end?.time, conversation.exchanges.last?.time].compactMap(\.self).max()
    if let last { link.wait(until: last.advanced(by: shift)) }
    let expected = conversation.exchanges.count { $0.isValue }
    let end = scheduler.now.advanced(by: Self.patience)
    while link.arrivals.count < expected, link.lost == nil, scheduler.performNext(until: end) {}
    link.disconnect()
  }

  private func values(
    of conversation: Conversation, from link: RehearsalLink, _ handles: HandleMap, _ shift: Duration
  ) -> [Exchange] {
    let known = Set(conversation.exchanges.map(\.handle)).union(
      recorded.characteristics.compactMap(\.valueHandle))
    let recordedHandles = Dictionary(
      known.sorted().compactMap { handle in handles.handle(of: handle).map { ($0, handle) } },
      uniquingKeysWith: { $1 })
    return link.arrivals.map {
      let handle = handles.valueHandle(sendingFrom: $0.handle)
      return Exchange(
        .value($0.value, $0.delivery), handle: recordedHandles[handle] ?? handle,
        at: $0.time.advanced(by: .zero - shift))
    }
  }
}

extension Exchange {
  /// Whether the device sent it by itself.
  var isValue: Bool { if case .value = kind { true } else { false } }
}

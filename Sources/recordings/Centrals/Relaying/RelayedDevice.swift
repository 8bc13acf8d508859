import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Exact
import GATTClient
import Peripheral

/// The real device behind a relay: a central that passes requests on, one after the other, and looks for the device again when it has
/// gone.
@EventLoop
package final class RelayedDevice {
  package weak var host: (any RelayHost)?
  let peer: LinkAddress
  let definition: PeripheralDefinition
  private let table: AttributeTable
  private let seat: CentralSeat
  let pairing: SurveyPlan.Pairing
  /// nil: there is no link.
  private(set) var conversation: SurveyedLink?
  private(set) var map: AttributeMap?
  /// Whether the device was asked to pair on this link.
  var hasPaired = false
  private var waiting: ArraySlice<(event: Event, respond: Responder)> = []
  /// Values that have come after a response that has not been passed on yet.
  private var held: [(value: [UInt8], handle: AttributeHandle)] = []
  private var isWorking = false
  private var isStopped = false
  /// The centrals that have subscribed, by characteristic.
  var subscribers: [Int: Set<Central?>] = [:]
  /// The last read of each central: its further parts are of the same value.
  var reads: [Central?: (attribute: AttributeReference, value: [UInt8])] = [:]

  /// How long a device may take to connect.
  nonisolated static let patience = Duration.seconds(20)
  /// The most requests and values of centrals that may wait.
  private static let mostWaiting = 4096
  /// Between two attempts to ask a device that has returned.
  private static let pause = Duration.seconds(1)

  /// - Parameters:
  ///   - definition: the relay as centrals see it.
  ///   - table: its attributes.
  package init(
    _ peer: LinkAddress, as definition: PeripheralDefinition, _ table: AttributeTable, at seat: CentralSeat,
    pairing: SurveyPlan.Pairing
  ) {
    (self.peer, self.definition, self.table) = (peer, definition, table)
    (self.seat, self.pairing) = (seat, pairing)
  }

  /// Connects to the device, and finds its attributes.
  ///
  /// - Returns: what the device lacks of the definition, in its words.
  package func start() async throws(TransportError) -> [String] {
    do throws(RelayFailure) { return try await connect().missing } catch {
      await stop()
      throw error.error
    }
  }

  /// Ends the link, and gives the controller back.
  package func stop() async {
    isStopped = true
    let conversation = conversation
    self.conversation = nil
    await conversation?.client.disconnect()
    await seat.leave()
  }
}

// MARK: The link

extension RelayedDevice {
  private func connect() async throws(RelayFailure) -> AttributeMap {
    let link: BegunLink?
    do throws(TransportError) { link = try await seat.connect(to: peer, within: Self.patience) } catch {
      throw .controller(error)
    }
    guard let link else { throw .notThere(peer) }
    let client = GATTClient(over: HostBearer(link), mtu: GATTClient.mtuRange.upperBound) {
      await link.disconnect($0)
    }
    let map: AttributeMap
    do throws(GATTClientError) {
      try await client.exchangeMTU()
      map = AttributeMap(definition, table, at: try await client.discover())
    } catch {
      await client.disconnect()
      throw .notAsked(peer, error)
    }
    guard map.hasCommon else {
      await client.disconnect()
      throw .nothingShared(peer, definition: definition.name)
    }
    take(link, client, map)
    return map
  }

  private func take(_ link: BegunLink, _ client: GATTClient, _ map: AttributeMap) {
    (conversation, self.map) = (SurveyedLink(client: client, link: link), map)
    (hasPaired, subscribers, reads, held) = (false, [:], [:], [])
    client.onValue = { [weak self, weak client] handle, value, _ in
      guard let self else { return }
      if held.isEmpty, !isWorking || client?.hasUnreadResponse != true {
        passOn(value, from: handle)
      } else {
        held.append((value, handle))
      }
    }
    client.onDisconnect = { [weak self] in self?.left("\($0)") }
  }

  /// Passes on what has come after a response, once that is passed on.
  func passHeld() {
    let values = held
    held = []
    for each in values { passOn(each.value, from: each.handle) }
  }

  private func passOn(_ value: [UInt8], from handle: AttributeHandle) {
    guard let characteristic = map?.senders[handle] else { return }
    host?.passOn(value, from: characteristic)
  }

  private func left(_ reason: String) {
    (conversation, held) = (nil, [])
    guard !isStopped else { return }
    host?.deviceLeft(reason)
    EventLoop.start { [weak self] in await self?.lookAgain() }
  }

  private func lookAgain() async {
    while !isStopped {
      do throws(RelayFailure) {
        let map = try await connect()
        if isStopped { return }
        if !map.missing.isEmpty { host?.warn(Self.sentence(lacking: map.missing)) }
        return host?.deviceReturned() ?? ()
      } catch .notThere { continue } catch {
        if !isStopped { host?.warn("\(error.error.message); looking for it again") }
        await EventLoop.pause(Self.pause)
      }
    }
  }

  /// What the log says about attributes of the definition that the device does not have.
  package nonisolated static func sentence(lacking missing: [String]) -> String {
    "the device does not have \(missing.joined(separator: ", ")); blemu rejects requests for them"
  }
}

// MARK: Requests

extension RelayedDevice: Relay {
  package var address: DeviceAddress { peer.address }

  package func take(_ event: Event, respond: @escaping Responder) {
    guard waiting.count < Self.mostWaiting else {
      host?.warn("dropped what a central asks: \(Self.mostWaiting) requests wait for the device")
      return respond(.refused(.insufficientResources))
    }
    waiting.append((event, respond))
    guard !isWorking else { return }
    isWorking = true
    EventLoop.start { await self.work() }
  }

  /// Passes what waits on, in order.
  private func work() async {
    while let next = waiting.popFirst() {
      next.respond(await answer(next.event))
      passHeld()
    }
    waiting = []
    isWorking = false
  }
}

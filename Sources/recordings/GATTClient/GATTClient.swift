import Bluetooth
import EventLoop
import Kernel

/// A central's side of an ATT bearer: it requests attributes and receives notifications and indications. It has no
/// attributes itself.
///
/// It handles the server's PDUs in order: a value goes to ``onValue`` before the task that waits for a later response
/// continues. While ``hasUnreadResponse``, it also goes there before the task that waits for an earlier one.
@EventLoop
package final class GATTClient {
  /// The possible ATT_MTU: no PDU is longer than a value of 512 bytes and 5 more.
  package nonisolated static let mtuRange = AttributePDU.defaultMTU...517
  /// The time after which a request, and with it the link, has failed (Core Specification, Vol 3 Part F 3.3.3).
  package nonisolated static let transactionTimeLimit = Duration.seconds(30)

  /// Called with each notified or indicated value; an indication is confirmed after that.
  package var onValue: (@EventLoop (AttributeHandle, [UInt8], Delivery) -> Void)?
  /// Takes each PDU instead of the client, which then answers nothing; nil: the client takes them.
  package var onPacket: (@EventLoop ([UInt8]) -> Void)?
  /// Takes each PDU for a GATT server on this side; nil: there is none, and the client refuses requests.
  package var server: (@EventLoop ([UInt8]) -> Void)?
  /// Called once when the link has ended, except by ``disconnect(_:)``. After that every request fails.
  package var onDisconnect: (@EventLoop (LinkEnd) -> Void)?
  /// Called with each PDU that the client ignores: one that it cannot read, or a response without a request.
  package var onNonsense: (@EventLoop ([UInt8]) -> Void)?

  /// The present ATT_MTU: the bytes of the longest PDU.
  package private(set) var mtu = AttributePDU.defaultMTU
  let wantedMTU: Int
  private var hasExchangedMTU = false
  let channel: any AttributeBearer
  let requests: RequestQueue
  private let endLink: (@EventLoop (HCIError) async -> Void)?

  /// - Parameters:
  ///   - mtu: The ATT_MTU to offer in an exchange by either side. With 23 there is no exchange: the server's request is
  ///     refused.
  ///   - timeLimit: The limit for each response.
  ///   - endLink: Ends the link below the bearer for a reason that the peripheral gets, and returns when it has ended; nil: it ends
  ///     with the bearer.
  package init(
    over channel: any AttributeBearer, mtu: Int, timeLimit: Duration = transactionTimeLimit,
    endLink: (@EventLoop (HCIError) async -> Void)? = nil
  ) {
    precondition(Self.mtuRange.contains(mtu), "an ATT_MTU is from \(Self.mtuRange)")
    (self.channel, self.endLink) = (channel, endLink)
    wantedMTU = mtu
    requests = RequestQueue(timeLimit: timeLimit) { channel.send($0.encode()) }
    requests.onTimeout = { [weak self] in self?.ended(.peerDoesNotAnswer) }
    channel.onEnd = { [weak self] in self?.ended($0) }
    channel.onReceive = { [weak self] in self?.receive($0) }
  }
}

// MARK: Connecting and disconnecting

extension GATTClient {
  /// Waits for a peripheral until the time limit and connects to it.
  package static func connect(
    from controller: LocalController, to peer: LinkAddress, mtu: Int, timeLimit: Duration = .seconds(20)
  ) async throws(L2CAPError) -> GATTClient {
    let channel = try await L2CAPChannel.connect(from: controller.address, to: peer, timeLimit: timeLimit)
    let link = KernelLink(controller: controller, peer: peer)
    return GATTClient(over: channel, mtu: mtu) { reason in
      if !link.disconnect(reason) { channel.close() }
      await link.waitForEnd()
    }
  }

  /// Whether the link is up.
  package var isConnected: Bool { channel.end == nil }

  /// Ends the link for a reason that the peripheral gets, and returns when it has ended, so that a connection after that has a new
  /// link.
  ///
  /// The peripheral may notice the end a little later. If a central reconnects before bluetoothd has noticed,
  /// bluetoothd sees no disconnection. Wait until the peripheral has seen it.
  ///
  /// The end of a link overtakes packets on their way, so this first waits until earlier write commands have
  /// reached the server.
  package func disconnect(_ reason: HCIError = .remoteUserTerminated) async {
    (onDisconnect, onPacket, server) = (nil, nil, nil)
    if !requests.haveSettledAll { await settle() }
    requests.fail(.disconnected(.closed))
    channel.onReceive = { _ in }
    await endLink?(reason)
    channel.close()
  }

  /// Waits until the server has handled all earlier PDUs. For that it sends a request that the server must refuse:
  /// handle 0 does not exist.
  ///
  /// A link that ends while it is still being established can also crash the kernel (6.1.192: `list_del corruption`
  /// in `hci_chan_del`) and bluetoothd (5.66).
  private func settle() async {
    let limit = EventLoop.after(.seconds(5)) { [requests] in requests.fail(.disconnected(.closed)) }
    _ = try? await request(.readRequest(0x0000))
    limit.cancel()
  }

  private func ended(_ end: LinkEnd) {
    channel.close()
    requests.fail(.disconnected(end))
    let callback = onDisconnect
    onDisconnect = nil
    callback?(end)
  }
}

// MARK: Requests

extension GATTClient {
  /// Sends a request after all earlier ones, and returns the response.
  ///
  /// - Throws: ``GATTClientError/refused(_:_:_:)`` for an Error Response.
  package func request(_ request: AttributePDU) async throws(GATTClientError) -> AttributePDU {
    precondition(request.opcode.kind == .request, "only a request has a response")
    return try await requests.perform(request)
  }

  /// Asks everything that a procedure asks, and returns its result.
  package func perform<Value>(
    _ procedure: GATTProcedure<Value, GATTClientError>
  ) async throws(GATTClientError) -> Value {
    var procedure = procedure
    while true {
      switch procedure {
      case .ended(let result): return try result.get()
      case .asking(let request, let then):
        do throws(GATTClientError) { procedure = then(.success(try await self.request(request))) } catch {
          procedure = then(.failure(error))
        }
      }
    }
  }

  /// Whether a response has come, and the task that waits for it has not continued yet.
  package var hasUnreadResponse: Bool { requests.hasUnreadResponse }

  /// Sends a PDU of any bytes, and returns when it has gone out. A caller that needs a response takes it from ``onPacket``.
  package func send(packet: [UInt8]) async throws(GATTClientError) {
    channel.send(packet)
    guard await channel.flush() else { throw .disconnected(channel.end ?? .closed) }
  }

  /// Sends a PDU of a GATT server on this side.
  package func sendFromServer(_ packet: [UInt8]) { channel.send(packet) }

  /// Sends a PDU without a response, and returns when it has gone out.
  package func send(_ pdu: AttributePDU) async throws(GATTClientError) {
    requests.overtake()
    try await send(packet: pdu.encode())
  }

  /// Exchanges the ATT_MTU with the server, unless that is done or not wanted, and returns the result: the smaller of
  /// both.
  ///
  /// The server may also start an exchange: bluetoothd does so at once. The last exchange counts.
  @discardableResult
  package func exchangeMTU() async throws(GATTClientError) -> Int {
    guard wantedMTU > AttributePDU.defaultMTU, !hasExchangedMTU else { return mtu }
    hasExchangedMTU = true
    do throws(GATTClientError) {
      _ = try await request(.exchangeMTURequest(UInt16(wantedMTU)))
    } catch .refused(.requestNotSupported, _, _) {
      // The default stays (Core Specification, Vol 3 Part G 4.3.1).
    }
    return mtu
  }

  /// Applies the server's ATT_MTU.
  func agree(_ theirs: UInt16) { mtu = max(AttributePDU.defaultMTU, min(wantedMTU, Int(theirs))) }
}

import Bluetooth
import EventLoop

/// A central's side of an ATT bearer: it asks for attributes, takes the values that are notified and indicated, and
/// has no attributes itself.
///
/// What a server sends is handled in the order in which it comes: a value is with ``onValue`` before the task that
/// waits for a later response goes on.
@EventLoop
package final class GATTClient {
  /// The ATT_MTU that can be asked for: 512 bytes of a value and 5 of a PDU around them are the most that is used.
  package nonisolated static let mtuRange = AttributePDU.defaultMTU...517
  /// The time after which a request has failed and with it the link (Core Specification, Vol 3 Part F 3.3.3).
  package nonisolated static let transactionTimeLimit = Duration.seconds(30)

  /// Called with each value that is notified or indicated; indications are confirmed after that.
  package var onValue: (@EventLoop (AttributeHandle, [UInt8], Delivery) -> Void)?
  /// Called once when the link has ended, unless by ``disconnect()``; after that every request fails.
  package var onDisconnect: (@EventLoop (LinkEnd) -> Void)?
  /// Called with PDUs that are to be ignored: those that cannot be read, and responses to nothing.
  package var onNonsense: (@EventLoop ([UInt8]) -> Void)?

  /// The ATT_MTU in force: the bytes of the longest PDU.
  package private(set) var mtu = AttributePDU.defaultMTU
  let wantedMTU: Int
  private var hasExchangedMTU = false
  let channel: L2CAPChannel
  let requests: RequestQueue
  private let link: KernelLink?

  /// - Parameters:
  ///   - mtu: What is offered when either side asks for an exchange. With 23 there is none: the server's is refused.
  ///   - timeLimit: For each response.
  package convenience init(
    over channel: L2CAPChannel, mtu: Int, timeLimit: Duration = transactionTimeLimit
  ) {
    self.init(over: channel, link: nil, mtu: mtu, timeLimit: timeLimit)
  }

  private init(over channel: L2CAPChannel, link: KernelLink?, mtu: Int, timeLimit: Duration) {
    precondition(Self.mtuRange.contains(mtu), "an ATT_MTU is from \(Self.mtuRange)")
    self.channel = channel
    self.link = link
    wantedMTU = mtu
    requests = RequestQueue(timeLimit: timeLimit) { channel.send($0.encode()) }
    requests.onTimeout = { [weak self] in self?.ended(.peerDoesNotAnswer) }
    channel.onEnd = { [weak self] in self?.ended($0) }
    channel.onReceive = { [weak self] in self?.receive($0) }
  }
}

// MARK: Beginning and end

extension GATTClient {
  /// Connects to a peripheral, which is waited for until the time limit.
  package static func connect(
    from controller: LocalController, to peer: LinkAddress, mtu: Int, timeLimit: Duration = .seconds(20)
  ) async throws(L2CAPError) -> GATTClient {
    let channel = try await L2CAPChannel.connect(from: controller.address, to: peer, timeLimit: timeLimit)
    let link = KernelLink(controller: controller, peer: peer)
    return GATTClient(over: channel, link: link, mtu: mtu, timeLimit: transactionTimeLimit)
  }

  /// Whether requests still reach the server.
  package var isConnected: Bool { channel.end == nil }

  /// Ends the link and returns when it is gone, so that who connects then has a new one.
  ///
  /// The peripheral's own side may take a moment longer: who comes back before bluetoothd has noticed is taken for
  /// never having left. Wait for the peripheral to see it.
  ///
  /// What was written without response reaches the server before: the end of a link overtakes what is on its way.
  package func disconnect() async {
    onDisconnect = nil
    if !requests.haveSettledAll { await settle() }
    requests.fail(.disconnected(.closed))
    channel.onReceive = { _ in }
    if link?.disconnect() != true { channel.close() }
    await link?.waitForEnd()
    channel.close()
  }

  /// Waits until the server has handled what it was sent, by a request that it can only refuse: there is no handle 0.
  ///
  /// Besides, a link that ends while both sides are still busy making it can bring down the kernel (6.1.192:
  /// `list_del corruption` in `hci_chan_del`) and bluetoothd (5.66).
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

// MARK: Asking

extension GATTClient {
  /// Makes a request, behind those that are already made, and returns the response.
  ///
  /// - Throws: ``GATTClientError/refused(_:_:_:)`` for an Error Response.
  package func request(_ request: AttributePDU) async throws(GATTClientError) -> AttributePDU {
    precondition(request.opcode.kind == .request, "only a request has a response")
    return try await requests.perform(request)
  }

  /// Sends what has no response, and returns when the kernel has taken it.
  package func send(_ pdu: AttributePDU) async throws(GATTClientError) {
    requests.overtake()
    channel.send(pdu.encode())
    await channel.flush()
    if let end = channel.end { throw .disconnected(end) }
  }

  /// Agrees on an ATT_MTU with the server, the smaller of both, unless we have done so or want none; returns it.
  ///
  /// A server may ask by itself, as bluetoothd does at once; the last agreement counts.
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

  /// Takes what the server can receive.
  func agree(_ theirs: UInt16) { mtu = max(AttributePDU.defaultMTU, min(wantedMTU, Int(theirs))) }
}

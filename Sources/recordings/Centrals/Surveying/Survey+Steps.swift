import Bluetooth
import EventLoop
import GATTClient
import Peripheral

extension Survey {
  func perform(_ step: SurveyStep, _ conversation: SurveyedLink) async throws(GATTClientError) {
    let client = conversation.client
    switch step {
    case .exchangeMTU: try await client.exchangeMTU()
    case .groups(let type): _ = try await client.find { .readByGroupTypeRequest($0, type: type) }
    case .declarations(let type):
      for found in try await client.find({ .readByTypeRequest($0, type: type) }).compactMap(\.characteristic)
      {
        attributes.characteristics[found.valueHandle] = found.properties
      }
    case .types:
      for found in try await client.find({ .findInformationRequest($0) }) {
        attributes.types[found.handle] = found.type
      }
    case .plan: planValues()
    case .read(let handle): try await read(handle, client)
    case .tryWrite(let handle): try await tryWrite(handle, client)
    case .subscribe(let subscriptions): try await subscribe(subscriptions, client)
    case .pair: await pair(conversation)
    }
  }

  /// Without the types, the values of characteristics are known by their declarations. To pair comes last, so that it is known what needs no encryption.
  private func planValues() {
    let count = attributes.types.count
    onProgress?(.discovered(attributes: count))
    if count > SurveyedAttributes.most {
      remarks.append(.tooManyAttributes(count, most: SurveyedAttributes.most))
    }
    steps += attributes.readable.map { .read($0) }
    if plan.questions == .all {
      steps += attributes.maybeWritable.map { .tryWrite($0) }
      steps.append(.subscribe(attributes.subscriptions))
    }
    if plan.pairing != .never { steps.append(.pair) }
  }
}

// MARK: Values

extension Survey {
  private func read(_ handle: AttributeHandle, _ client: GATTClient) async throws(GATTClientError) {
    do throws(GATTClientError) {
      attributes.values[handle] = try await client.read(handle)
      attributes.unreadable.remove(handle)
    } catch {
      if error.isForWantOfSecurity { attributes.unreadable.insert(handle) }
      throw error
    }
  }

  /// Prepares to write the value that the attribute has, and cancels it: a server checks the permissions when a write is prepared (Core
  /// Specification, Vol 3 Part F 3.4.6.1), and nothing is written.
  private func tryWrite(_ handle: AttributeHandle, _ client: GATTClient) async throws(GATTClientError) {
    let value = (attributes.values[handle] ?? [0x00]).prefix(client.mtu - 5)
    do throws(GATTClientError) {
      _ = try await client.request(.prepareWriteRequest(handle, offset: 0, part: Array(value)))
      attributes.unwritable.remove(handle)
    } catch .refused(.requestNotSupported, _, _) {
      remarks.append(.noPreparedWrites)
      return steps.removeAll { if case .tryWrite = $0 { true } else { false } }
    } catch {
      if error.isForWantOfSecurity { attributes.unwritable.insert(handle) }
      throw error
    }
    _ = try await client.request(.executeWriteRequest(commits: false))
  }

  /// Between two subscriptions.
  private static let gap = Duration.milliseconds(300)

  private func subscribe(
    _ subscriptions: [AttributeHandle: Delivery], _ client: GATTClient
  ) async throws(GATTClientError) {
    var accepted: [AttributeHandle] = []
    for (handle, delivery) in subscriptions.sorted(by: { $0.key < $1.key }) {
      do throws(GATTClientError) {
        try await client.write(ClientConfiguration(delivery).bytes, to: handle)
        accepted.append(handle)
        // So that it is seen what this subscription leads to.
        await wait(min(Self.gap, plan.subscription), on: client)
        attributes.unsubscribed[handle] = nil
      } catch {
        guard error.refusal != nil else { throw error }
        if error.isForWantOfSecurity { attributes.unsubscribed[handle] = delivery }
      }
    }
    onProgress?(.subscribed(accepted.count, for: plan.subscription))
    let heard = Promise<Bool?>()
    EventLoop.start { heard.fulfil(await self.listen()) }
    await wait(plan.subscription, on: client)
    seat.stopScanning()
    noteSilence(heard: await heard.value())
    for handle in accepted {
      do throws(GATTClientError) { try await client.write([0x00, 0x00], to: handle) } catch .refused {
        continue
      }
    }
  }

  /// - Returns: whether the device advertises meanwhile; nil: the controller does not scan now.
  private func listen() async -> Bool? {
    var isHeard = false
    let address = device?.address
    do throws(TransportError) {
      try await seat.scan(isActive: false) { report in
        if report.address == address { isHeard = true }
      }
    } catch { return nil }
    return isHeard
  }

  private func noteSilence(heard: Bool?) {
    guard let heard, let device else { return }
    if heard { isSilentWhileConnected = false }
    if !heard, plan.subscription > device.longestSilence {
      isSilentWhileConnected = isSilentWhileConnected ?? true
    }
  }

  /// Waits for a time, or until the link ends.
  private func wait(_ time: Duration, on client: GATTClient) async {
    let changes = Condition()
    client.onDisconnect = { _ in changes.signal() }
    await changes.wait(for: time) { !client.isConnected }
    client.onDisconnect = nil
  }
}

extension GATTClientError {
  /// Whether pairing may overcome the refusal (Vol 3 Part C 10.3.1).
  var isForWantOfSecurity: Bool {
    [.insufficientAuthentication, .insufficientEncryption, .encryptionKeySizeTooShort].contains(refusal)
  }
}

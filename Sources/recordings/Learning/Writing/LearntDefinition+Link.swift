import Bluetooth
import Captures
import DeviceModel
import Framing

extension LearntDefinition {
  /// Describes what the device said of its links: its MTU, the connection parameters that it asks for, and how it pairs.
  ///
  /// - Parameter centrals: how many may connect; nil: it is not known.
  package mutating func addLink(_ connections: [CapturedConnection], centrals: Int? = nil) {
    let mtu = connections.lazy.compactMap(\.deviceMTU).first
    device.link.mtu = mtu.flatMap { (23...517).contains($0) ? Int($0) : nil }
    let takesOne = !connections.isEmpty && connections.allSatisfy(\.stopsAdvertising)
    device.link.centrals = centrals ?? (takesOne ? 1 : nil)
    if let request = connections.lazy.compactMap(\.parameterRequest).first {
      device.link.preferred = request.preferred
      device.link.askAfter = request.delay.map { .milliseconds($0) }
      if request.delay == nil {
        origin.append("The device asked for connection parameters; when is not known.")
      }
    }
    let pairing = PairingFindings(connections)
    if !pairing.isEmpty { device.security = pairing.template }
  }
}

extension CapturedConnection {
  /// What the device said first, in its response or in a request of its own, bytes.
  fileprivate var deviceMTU: UInt16? {
    events.lazy.compactMap { event in
      guard case .attribute(let bytes, from: .peripheral) = event.kind else { return nil }
      return switch try? AttributePDU(bytes) {
      case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): mtu
      default: nil
      }
    }.first
  }
}

// MARK: Connection parameters

/// A Connection Parameter Update Request of the device (Vol 3 Part A 4.20).
private struct ParameterRequest {
  var preferred: PreferredConnectionParameters
  /// After the connection; nil: the recording does not have its beginning.
  var delay: Int64?

  /// - Parameter packet: a whole signalling packet.
  init?(_ packet: [UInt8], delay: Int64?) {
    guard packet.count >= 12, packet[0] == 0x12 else { return nil }
    let numbers = stride(from: 4, to: 12, by: 2).map { UInt16(packet[$0], packet[$0 + 1]) }
    let possible = PreferredConnectionParameters.possibleIntervals
    guard numbers[0] <= numbers[1], possible.contains(numbers[0]), possible.contains(numbers[1]) else {
      return nil
    }
    preferred = PreferredConnectionParameters(
      interval: numbers[0]...numbers[1], latency: numbers[2], supervisionTimeout: numbers[3])
    guard PreferredConnectionParameters.possibleLatencies.contains(numbers[2]),
      PreferredConnectionParameters.possibleTimeouts.contains(numbers[3]),
      Int(numbers[3]) >= preferred.leastTimeout
    else { return nil }
    self.delay = delay
  }
}

extension CapturedConnection {
  /// The first one that the device asked for.
  fileprivate var parameterRequest: ParameterRequest? {
    events.lazy.compactMap { event in
      guard case .signalling(let packet, from: .peripheral) = event.kind else { return nil }
      // To 10 ms: a recording is no more precise.
      let delay = start.map { max(10, ($0.milliseconds(to: event.time) + 5) / 10 * 10) }
      return ParameterRequest(packet, delay: delay)
    }.first
  }
}

// MARK: Pairing

/// What the device said in pairing (Vol 3 Part H 3.5 and 3.6).
private struct PairingFindings {
  private var capability: IOCapability?
  private var bonds = true
  private var isAskedToBond = true
  private var hasSecureConnections = true
  private var refuses = false
  private var requests = false

  init(_ connections: [CapturedConnection]) {
    for event in connections.flatMap(\.events) {
      guard case .security(let pdu, let sender) = event.kind, let code = pdu.first else { continue }
      if sender == .central {
        // Pairing Request: without bonding in it, the response has none either.
        if code == 0x01, pdu.count >= 4, capability == nil { isAskedToBond = pdu[3] & 0x03 != 0 }
        continue
      }
      switch code {
      case 0x02 where pdu.count >= 7 && capability == nil:
        capability = IOCapability(rawValue: pdu[1])
        bonds = pdu[3] & 0x03 != 0 || !isAskedToBond
        hasSecureConnections = pdu[3] & 0x08 != 0
      // Pairing Not Supported.
      case 0x05 where pdu.count >= 2 && pdu[1] == 0x05 && capability == nil: refuses = true
      case 0x0B: requests = true
      default: break
      }
    }
  }

  var isEmpty: Bool { capability == nil && !refuses && !requests }

  var template: PairingTemplate {
    var template = PairingTemplate()
    template.requestsSecurity = .constant(.boolean(requests))
    guard let capability else {
      template.isAllowed = .constant(.boolean(!refuses))
      return template
    }
    template.capability = .text(capability.name)
    if !hasSecureConnections { template.secureConnections = .text("never") }
    template.bonds = .constant(.boolean(bonds))
    return template
  }
}

import Bluetooth
import Framing

extension Controller {
  /// Begins a procedure of the link layer, after those that this side has begun.
  mutating func begin(_ procedure: Procedure, on handle: UInt16) {
    guard var end = state.links[handle] else { return }
    defer { state.links[handle] = end }
    guard end.procedure == nil else { return end.waiting.append(procedure) }
    end.procedure = procedure
    end.deadline = now.advanced(by: .seconds(40))
    switch procedure {
    case .version: end.sendVersion(ownVersion)
    case .features: end.queue.append(.featureRequest(traits.features))
    case .dataLength: end.queue.append(.lengthRequest(lengthLimits(of: end)))
    case .phys(let phys): end.queue.append(.phyRequest(phys))
    case .update(let parameters):
      end.queue.append(.parameterUpdate(parameters))
      end.deadline = nil
    case .parameters(let parameters): end.queue.append(.parameterRequest(parameters))
    case .encryption(let random, let diversifier, _):
      end.queue.append(.encryptionRequest(random: random, diversifier: diversifier))
    }
  }

  /// Ends the procedure of this side, and begins the next.
  mutating func finish(_ handle: UInt16) {
    state.links[handle]?.procedure = nil
    state.links[handle]?.deadline = nil
    guard state.links[handle]?.waiting.isEmpty == false, let next = state.links[handle]?.waiting.removeFirst()
    else { return }
    begin(next, on: handle)
  }

  /// Tells the host that the peer has refused the procedure of this side.
  mutating func fail(_ reason: HCIError, on handle: UInt16) {
    guard let end = state.links[handle], let procedure = end.procedure else { return }
    let head = [reason.rawValue] + handle.littleEndianBytes
    switch procedure {
    case .version: emit(0x0C, head + [0, 0, 0, 0, 0])
    case .features: emitLowEnergy(0x04, head + ControllerTraits.Features().bytes)
    case .dataLength: break
    case .phys: emitLowEnergy(0x0C, head + [end.phys.sent, end.phys.received])
    case .update, .parameters: emitLowEnergy(0x03, head + end.parameters.bytes)
    case .encryption:
      state.links[handle]?.holdsData = false
      emit(0x08, head + [0])
    }
    finish(handle)
  }

  var ownVersion: [UInt8] { [traits.version, 0xFF, 0xFF, 0x00, 0x00] }

  func lengthLimits(of end: LinkEnd) -> LengthLimits {
    LengthLimits(sent: end.wantedOctets, received: traits.packetOctets)
  }
}

extension LinkEnd {
  /// Each side sends its version once (Vol 6 Part B 5.1.5).
  mutating func sendVersion(_ bytes: [UInt8]) {
    guard !hasSentVersion else { return }
    hasSentVersion = true
    queue.append(.version(bytes))
  }
}

extension ConnectionParameters {
  /// Interval, latency, supervision timeout.
  var bytes: [UInt8] { [interval, latency, supervisionTimeout].flatMap(\.littleEndianBytes) }
}

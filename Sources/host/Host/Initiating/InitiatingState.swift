import Bluetooth
import HCIPackets

/// The link that is wanted, and the one for which the controller waits.
package struct InitiatingState: Sendable {
  private enum Activity: Hashable {
    case idle
    /// The command has been sent.
    case beginning(ConnectionRequest)
    case running(ConnectionRequest)
    /// The command to cancel has been sent. LE Connection Complete is to come.
    case cancelling(ConnectionRequest)

    var request: ConnectionRequest? {
      switch self {
      case .idle: nil
      case .beginning(let request), .running(let request), .cancelling(let request): request
      }
    }
  }

  /// nil: none. It is nil again after ``RadioEvent/initiated(_:_:)`` and ``RadioEvent/initiatingFailed(_:_:)``.
  package var wanted: ConnectionRequest?
  private var activity = Activity.idle
  var refusal: Refusal<ConnectionRequest>?

  package init() {}

  var isActive: Bool { activity != .idle }

  /// The random address of this side, for the link that begins; nil: the controller's.
  var ownAddress: DeviceAddress? { activity.request?.address }

  var usesAcceptList: Bool { activity.request?.peer == .acceptList }

  var needsAcceptList: Bool { usesAcceptList || wanted?.peer == .acceptList }

  /// What is wanted, if the controller is able to do it.
  func possible(_ abilities: ControllerAbilities) -> ConnectionRequest? {
    wanted.flatMap { $0.problems(abilities).isEmpty ? $0 : nil }
  }
}

enum InitiatingStep: Hashable, Sendable {
  case create(ConnectionRequest)
  case cancel

  func command(isExtended: Bool) -> HCICommand {
    switch self {
    case .create(let request): .createConnection(request, isExtended: isExtended)
    case .cancel: .cancelConnection
    }
  }
}

// MARK: Commands

extension InitiatingState {
  /// - Parameter isHeld: whether it has to pause.
  func nextStep(_ abilities: ControllerAbilities, randomAddress: DeviceAddress?, isHeld: Bool)
    -> InitiatingStep?
  {
    let request = isHeld ? nil : possible(abilities)
    switch activity {
    case .idle:
      guard let request, request.address == nil || request.address == randomAddress,
        !refusal.blocks(request)
      else { return nil }
      return .create(request)
    case .running(let present): return present == request ? nil : .cancel
    case .beginning, .cancelling: return nil
    }
  }

  /// The command has been sent.
  mutating func begin(_ step: InitiatingStep) {
    switch step {
    case .create(let request): activity = .beginning(request)
    case .cancel: activity = activity.request.map { .cancelling($0) } ?? .idle
    }
  }

  mutating func done(_ step: InitiatingStep) -> [RadioEvent] {
    if case .beginning(let request) = activity { activity = .running(request) }
    return []
  }

  /// Returns whether the refusal is new.
  mutating func refused(_ error: HCIError) -> Bool {
    guard let request = activity.request else { return false }
    activity = .idle
    return refusal.note(error, of: request)
  }

  /// There is nothing to cancel, because the link has begun or failed meanwhile (Vol 4 Part E 7.8.13).
  mutating func cancelRefused() -> [RadioEvent] {
    guard let request = activity.request else { return [] }
    activity = .idle
    return wanted == request ? [] : [.initiatingCancelled(request)]
  }
}

// MARK: Events

extension InitiatingState {
  /// A link of which this side is the central.
  mutating func began(_ link: EstablishedLink) -> [RadioEvent] {
    guard let request = activity.request, request.peer.isReached(at: link.peer) else { return [] }
    finish(request)
    return [.initiated(request, link.handle)]
  }

  /// LE Connection Complete with an error. After a cancellation it is Unknown Connection Identifier.
  mutating func failed(_ error: HCIError) -> [RadioEvent] {
    guard let request = activity.request else { return [] }
    if case .cancelling = activity, error == .unknownConnectionIdentifier {
      activity = .idle
      // If it is still wanted, it only pauses.
      return wanted == request ? [] : [.initiatingCancelled(request)]
    }
    finish(request)
    return [.initiatingFailed(request, error)]
  }

  private mutating func finish(_ request: ConnectionRequest) {
    activity = .idle
    refusal = nil
    if wanted == request { wanted = nil }
  }
}

extension ConnectionRequest.Peer {
  fileprivate func isReached(at address: LinkAddress) -> Bool {
    self == .acceptList || self == .device(address)
  }
}

import Bluetooth

/// That the controller has refused a command, and what the command was for.
struct Refusal<Wanted: Hashable & Sendable>: Hashable, Sendable {
  var wanted: Wanted
  var error: HCIError
  /// Whether nothing has happened since that makes another attempt useful.
  var isStanding = true

  /// Whether another attempt for this would be in vain.
  func blocks(_ wanted: Wanted) -> Bool { isStanding && self.wanted == wanted }

  mutating func lift(after occasion: Occasion) {
    if occasion.mayCure(error) { isStanding = false }
  }
}

/// What may make a controller accept a command that it has refused.
enum Occasion {
  case linkEnded
  /// The caller wants something else, which may leave room.
  case changedWish
  /// Any other event that may end a state in which the command is not allowed.
  case other

  func mayCure(_ error: HCIError) -> Bool {
    switch error {
    case .commandDisallowed, .controllerBusy: true
    case .memoryCapacityExceeded, .connectionLimitExceeded, .limitedResources: self != .other
    default: false
    }
  }
}

extension Optional {
  /// Keeps a refusal.
  ///
  /// - Returns: whether it is another than the last one.
  mutating func note<Wanted>(_ error: HCIError, of wanted: Wanted) -> Bool
  where Wrapped == Refusal<Wanted> {
    let isNew = self?.wanted != wanted || self?.error != error
    self = Refusal(wanted: wanted, error: error)
    return isNew
  }

  func blocks<Wanted>(_ wanted: Wanted) -> Bool where Wrapped == Refusal<Wanted> {
    self?.blocks(wanted) == true
  }
}

extension HCIError {
  static let limitedResources = Self(rawValue: 0x0D)
  static let controllerBusy = Self(rawValue: 0x3A)
  /// The time of directed advertising with a high duty cycle is over.
  static let advertisingTimeout = Self(rawValue: 0x3C)
}

import Bluetooth

/// A command that a controller knows.
struct Command: Sendable {
  /// How the controller answers (Vol 4 Part E 4.4).
  enum Answer: Sendable {
    /// Command Complete.
    case complete
    /// Command Complete, whose first return parameter after the status is the handle of the link, also when it fails (4.5).
    case completeWithHandle
    /// Command Status.
    case status
  }

  /// Controllers take the commands of only one family between two resets (3.1.1).
  enum Family: Sendable { case legacy, extended }

  typealias Action = @Sendable (inout Controller, inout Parameters) throws(HCIError) -> [UInt8]

  /// The place in Read Local Supported Commands (6.27); nil: a command of one maker has none.
  let place: (octet: Int, bit: Int)?
  /// The number of bytes of the parameters; nil: various.
  let length: Int?
  let answer: Answer
  let family: Family?
  let needs: ControllerTraits.Features
  /// Returns the parameters after the status.
  let action: Action

  init(
    _ octet: Int, _ bit: Int, length: Int? = 0, _ answer: Answer = .complete, family: Family? = nil,
    needs: ControllerTraits.Features = [], _ action: @escaping Action
  ) {
    (self.place, self.length, self.answer) = ((octet, bit), length, answer)
    (self.family, self.needs, self.action) = (family, needs, action)
  }

  /// A command of one maker, which has no place.
  init(ofMakerWith length: Int, _ action: @escaping Action) {
    (place, self.length, answer, family, needs) = (nil, length, .complete, nil, [])
    self.action = action
  }

  /// By opcode.
  static let all: [UInt16: Self] = [
    basics, information, legacyAdvertising, extendedAdvertising, scanning, initiating, lists, links, changes,
    encryption,
  ].reduce(into: [:]) { all, group in all.merge(group) { first, _ in first } }
}

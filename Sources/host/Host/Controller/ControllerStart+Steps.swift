import Framing
import HCIPackets

extension ControllerStart {
  /// A command of the start.
  struct Step: Sendable {
    typealias Condition = any KeyPath<ControllerAbilities, Bool> & Sendable

    var command: @Sendable (ControllerAbilities) -> HCICommand
    /// Whether there is no host without it.
    var isRequired: Bool
    /// nil: always.
    var condition: Condition?
    /// Reads the return parameters after the status; nil: some are missing.
    var read: @Sendable (inout ControllerAbilities, inout ByteReader) -> Void?

    /// A command without parameters.
    init(
      _ opcode: HCIOpcode, isRequired: Bool = false, if condition: Condition? = nil,
      read: @escaping @Sendable (inout ControllerAbilities, inout ByteReader) -> Void? = { _, _ in () }
    ) {
      command = { _ in HCICommand(opcode) }
      (self.isRequired, self.condition, self.read) = (isRequired, condition, read)
    }

    /// A command whose answer has nothing but a status.
    init(
      isRequired: Bool = false, if condition: Condition? = nil,
      _ command: @escaping @Sendable (ControllerAbilities) -> HCICommand
    ) {
      (self.isRequired, self.condition, self.command) = (isRequired, condition, command)
      read = { _, _ in () }
    }

    func isNeeded(_ abilities: ControllerAbilities) -> Bool {
      abilities.has(command(abilities).opcode) && condition.map { abilities[keyPath: $0] } ?? true
    }
  }

  static let steps: [Step] = [
    Step(.reset, isRequired: true),
    Step(.readLocalVersion) { abilities, answer in
      // version of HCI, its revision, version of the link layer, company, its number
      guard let version = answer.byte(), answer.skip(3), let company = answer.number(),
        let subversion = answer.number()
      else { return nil }
      (abilities.version, abilities.manufacturer, abilities.subversion) = (version, company, subversion)
    },
    Step(.readSupportedCommands) { abilities, answer in
      answer.bytes(64).map { abilities.commands = $0 }
    },
    Step(.readSupportedFeatures) { abilities, answer in answer.number().map { abilities.features = $0 } },
    Step(.readLowEnergyFeatures, isRequired: true) { abilities, answer in
      answer.number().map { abilities.lowEnergyFeatures = LowEnergyFeatures(rawValue: $0) }
    },
    Step(.readAddress) { abilities, answer in answer.address().map { abilities.address = $0 } },
    Step(.readLowEnergyBufferSize, isRequired: true) { abilities, answer in
      guard let size = answer.number(), let count = answer.byte() else { return nil }
      (abilities.packetSize, abilities.packetCount) = (Int(size), Int(count))
    },
    // A controller without buffers of LE shares those of BR/EDR (Vol 4 Part E 4.1.1).
    Step(.readBufferSize, isRequired: true, if: \ControllerAbilities.sharesBuffers) {
      abilities, answer in
      guard let size = answer.number(), answer.skip(1), let count = answer.number() else { return nil }
      (abilities.packetSize, abilities.packetCount) = (max(1, Int(size)), max(1, Int(count)))
    },
    Step(if: \ControllerAbilities.hasBasicRate) { _ in .supportLowEnergy },
    Step(isRequired: true) { _ in .setEventMask(eventMask) },
    Step(isRequired: true) { .setLowEnergyEventMask($0.eventMask) },
    Step(.readMaximumDataLength, if: \ControllerAbilities.hasLongPackets) {
      abilities, answer in
      guard let bytes = answer.number(), let time = answer.number() else { return nil }
      (abilities.longestBytes, abilities.longestTime) = (bytes, time)
    },
    Step(if: \ControllerAbilities.hasLongPackets) { .suggestDataLength($0.longestBytes, $0.longestTime) },
    Step(.readMaximumAdvertisingDataLength, if: \ControllerAbilities.hasExtendedAdvertising) {
      abilities, answer in
      answer.number().map { abilities.mostAdvertisingData = Int($0) }
    },
    Step(.readAdvertisingSetCount, if: \ControllerAbilities.hasExtendedAdvertising) { abilities, answer in
      answer.byte().map { abilities.advertisingSetCount = max(1, Int($0)) }
    },
    Step(.readAcceptListSize) { abilities, answer in answer.byte().map { abilities.acceptListSize = Int($0) }
    },
    Step(.readResolvingListSize, if: \ControllerAbilities.hasPrivacy) { abilities, answer in
      answer.byte().map { abilities.resolvingListSize = Int($0) }
    },
  ]

  /// The events that the host takes: Disconnection Complete, Encryption Change, Read Remote Version Information Complete,
  /// Hardware Error, Data Buffer Overflow, Encryption Key Refresh Complete, LE Meta. Command Complete, Command Status and Number Of
  /// Completed Packets cannot be masked.
  private static let eventMask: UInt64 = [0x05, 0x08, 0x0C, 0x10, 0x1A, 0x30, 0x3E].reduce(0) {
    $0 | 1 << ($1 - 1)
  }
}

extension ControllerAbilities {
  /// Whether LE has no data buffers of its own.
  fileprivate var sharesBuffers: Bool { packetSize == 0 || packetCount == 0 }

  fileprivate var hasLongPackets: Bool { lowEnergyFeatures.contains(.dataLengthExtension) }

  fileprivate var hasPrivacy: Bool { lowEnergyFeatures.contains(.privacy) }

  /// The subevents of LE Meta that the host takes and the controller may know: a controller may refuse the others.
  fileprivate var eventMask: UInt64 {
    // Connection Complete, Advertising Report, Connection Update Complete, Read Remote Features Complete, Long Term Key Request
    var mask: UInt64 = 0x1F
    let further: [(LowEnergyFeatures, UInt64)] = [
      (.privacy, 1 << 9),  // Enhanced Connection Complete
      (.parametersRequest, 1 << 5),  // Remote Connection Parameter Request
      (.dataLengthExtension, 1 << 6),  // Data Length Change
      (.le2M, 1 << 11), (.leCoded, 1 << 11),  // PHY Update Complete
      (.extendedAdvertising, 1 << 12 | 1 << 17),  // Extended Advertising Report, Advertising Set Terminated
    ]
    for (feature, bits) in further where lowEnergyFeatures.contains(feature) { mask |= bits }
    return mask
  }
}

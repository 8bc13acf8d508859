import Bluetooth
import HCIPackets

extension RuledController {
  /// The rule that a command breaks; nil: none.
  func brokenRule(_ command: HCICommand) -> String? {
    let bytes = command.parameters
    switch command.opcode {
    case .setRandomAddress: return isBusy ? "while it is in use" : nil
    case .setAdvertisingParameters: return sets[0]?.isEnabled == true ? "while enabled" : nil
    case .setAdvertisingData, .setScanResponseData: return nil
    case .setAdvertisingEnable:
      return bytes[0] == 1 ? enabling(sets[0], hasRandomAddress: sets[0]?.parameters[5] == 1) : nil
    case .setExtendedAdvertisingParameters: return parametersRule(bytes)
    case .setExtendedAdvertisingData, .setExtendedScanResponseData:
      guard let set = sets[bytes[0]] else { return "no such set" }
      return set.isEnabled && bytes[1] != 3 ? "fragments while enabled" : nil
    case .setAdvertisingSetRandomAddress:
      guard let set = sets[bytes[0]] else { return "no such set" }
      return set.isEnabled && Self.isConnectable(set, isExtended: true) ? "while connectable" : nil
    case .setExtendedAdvertisingEnable:
      guard let set = sets[bytes[2]] else { return "no such set" }
      if bytes[0] == 1, set.parameters[1] & 8 != 0, bytes[3] == 0 { return "without a duration" }
      return bytes[0] == 1 ? enabling(set, hasRandomAddress: set.parameters[10] == 1) : nil
    case .removeAdvertisingSet:
      guard let set = sets[bytes[0]] else { return "no such set" }
      return set.isEnabled ? "while enabled" : nil
    default: return otherRule(command.opcode, bytes)
    }
  }

  private func otherRule(_ opcode: HCIOpcode, _ bytes: [UInt8]) -> String? {
    switch opcode {
    case .setScanParameters, .setExtendedScanParameters: return scan == nil ? nil : "while scanning"
    case .setScanEnable, .setExtendedScanEnable:
      guard bytes[0] == 1 else { return nil }
      guard let scanParameters else { return "without parameters" }
      let hasRandomAddress = scanParameters[isExtended ? 0 : 5] == 1
      return hasRandomAddress && randomAddress == nil ? "without an address" : nil
    case .createConnection, .createConnectionExtended:
      guard request == nil else { return "while initiating" }
      return bytes[isExtended ? 1 : 12] == 1 && randomAddress == nil ? "without an address" : nil
    case .clearAcceptList, .removeFromAcceptList: return usesAcceptList ? "while in use" : nil
    case .addToAcceptList:
      return usesAcceptList ? "while in use" : acceptList.count >= 4 ? "no room" : nil
    case .clearResolvingList, .setAddressResolutionEnable: return isOnAir ? "while on the air" : nil
    case .addToResolvingList:
      if resolvingList.contains(where: { $0[..<7] == bytes[..<7] }) { return "known already" }
      return isOnAir ? "while on the air" : resolvingList.count >= 4 ? "no room" : nil
    case .setPrivacyMode:
      return isOnAir
        ? "while on the air" : resolvingList.contains { $0[..<7] == bytes[..<7] } ? nil : "unknown"
    case .cancelConnection: return nil
    default: return "no such command"
    }
  }

  private func enabling(_ set: Set?, hasRandomAddress: Bool) -> String? {
    guard let set, set.hasAllData else { return "without all data" }
    let address = isExtended ? set.address : randomAddress
    return hasRandomAddress && address == nil ? "without an address" : nil
  }

  private func parametersRule(_ bytes: [UInt8]) -> String? {
    guard let set = sets[bytes[0]] else { return sets.count >= 3 ? "too many sets" : nil }
    guard !set.isEnabled else { return "while enabled" }
    let (isLegacy, isScannable) = (bytes[1] & 0x10 != 0, bytes[1] & 2 != 0)
    if isLegacy && max(set.data.count, set.scanResponse.count) > 31 { return "data too long" }
    if !isScannable && !set.scanResponse.isEmpty { return "no scan response allowed" }
    return !isLegacy && isScannable && !set.data.isEmpty ? "no data allowed" : nil
  }

  private var isBusy: Bool {
    !isExtended && sets[0]?.isEnabled == true || scan != nil || request != nil
  }

  private var usesAcceptList: Bool {
    let scans = scan != nil && scanParameters?[isExtended ? 1 : 6] == 1
    return scans || request?[isExtended ? 0 : 4] == 1
      || sets.values.contains { $0.isEnabled && $0.parameters[isExtended ? 17 : 14] == 2 }
  }

  private var isOnAir: Bool { isBusy || sets.values.contains(where: \.isEnabled) }

  mutating func apply(_ command: HCICommand) {
    let bytes = command.parameters
    switch command.opcode {
    case .setRandomAddress: randomAddress = bytes
    case .setAdvertisingParameters: sets[0]?.parameters = bytes
    case .setAdvertisingData: sets[0]?.data = Array(bytes[1...].prefix(Int(bytes[0])))
    case .setScanResponseData: sets[0]?.scanResponse = Array(bytes[1...].prefix(Int(bytes[0])))
    case .setAdvertisingEnable: sets[0]?.isEnabled = bytes[0] == 1
    case .setExtendedAdvertisingParameters: sets[bytes[0], default: Set()].parameters = bytes
    case .setAdvertisingSetRandomAddress: sets[bytes[0]]?.address = Array(bytes[1...])
    case .setExtendedAdvertisingData:
      Self.add(bytes, to: &sets[bytes[0], default: Set()].data)
      sets[bytes[0]]?.hasAllData = bytes[1] >= 2
    case .setExtendedScanResponseData:
      Self.add(bytes, to: &sets[bytes[0], default: Set()].scanResponse)
      sets[bytes[0]]?.hasAllData = bytes[1] >= 2
    case .setExtendedAdvertisingEnable: sets[bytes[2]]?.isEnabled = bytes[0] == 1
    case .removeAdvertisingSet: sets[bytes[0]] = nil
    case .setScanParameters, .setExtendedScanParameters: scanParameters = bytes
    case .setScanEnable, .setExtendedScanEnable: scan = bytes[0] == 1 ? bytes : nil
    case .createConnection, .createConnectionExtended: request = bytes
    case .cancelConnection: request = nil
    case .clearAcceptList: acceptList = []
    case .addToAcceptList: acceptList.append(bytes)
    case .removeFromAcceptList: acceptList.removeAll { $0 == bytes }
    case .clearResolvingList: resolvingList = []
    case .addToResolvingList: resolvingList.append(bytes)
    case .setAddressResolutionEnable: resolvesAddresses = bytes[0] == 1
    default: break
    }
  }

  /// Handle, operation, preference, length, fragment.
  private static func add(_ bytes: [UInt8], to data: inout [UInt8]) {
    if bytes[1] == 1 || bytes[1] == 3 { data = [] }
    data += bytes[4...]
  }
}

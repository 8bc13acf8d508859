import Bluetooth
import HCIPackets

/// A command for one advertising set of the controller.
struct AdvertisingStep: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    case setParameters(AdvertisingSet)
    /// Not with legacy advertising.
    case setAddress(DeviceAddress)
    case setData([UInt8], fragment: Int)
    case setScanResponse([UInt8], fragment: Int)
    /// With the count of ``PresentSet/endings``.
    case enable(Int)
    case disable
    /// Not with legacy advertising.
    case remove
  }

  /// The handle in the controller.
  var slot: UInt8
  /// What it is for; nil: the set is not wanted, or has to pause.
  var wanted: AdvertisingSet?
  var action: Action
}

extension AdvertisingStep {
  func command(isExtended: Bool) -> HCICommand { isExtended ? extendedCommand : legacyCommand }

  private var extendedCommand: HCICommand {
    switch action {
    case .setParameters(let set): .setParameters(set)
    case .setAddress(let address): .setRandomAddress(address, handle: slot)
    case .setData(let bytes, let number): .setData(Self.fragment(number, of: bytes), handle: slot)
    case .setScanResponse(let bytes, let number):
      .setScanResponse(Self.fragment(number, of: bytes), handle: slot)
    case .enable: .enable(handle: slot, duration: duration)
    case .disable: .disable(handle: slot)
    case .remove: .remove(handle: slot)
    }
  }

  private var legacyCommand: HCICommand {
    switch action {
    case .setParameters(let set): .setLegacyParameters(set)
    case .setAddress(let address): .setRandomAddress(address)
    case .setData(let bytes, _): .setLegacyData(bytes)
    case .setScanResponse(let bytes, _): .setLegacyScanResponse(bytes)
    case .enable: .setLegacyEnabled(true)
    case .disable, .remove: .setLegacyEnabled(false)
    }
  }

  /// Directed advertising with a high duty cycle lasts 1.28 s, and the controller wants to be told so (Vol 4 Part E 7.8.56).
  private var duration: UInt16 {
    wanted?.parameters.properties.contains(.highDutyCycle) == true ? 128 : 0
  }

  private static func fragment(_ number: Int, of bytes: [UInt8]) -> AdvertisingFragment {
    AdvertisingFragment.fragments(of: bytes)[number]
  }
}

import Framing

/// What is switched on in a controller, or what it supports (bluez: doc/mgmt-api.txt, Read Controller Information).
package struct ControllerSettings: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let powered = Self(rawValue: 1 << 0)
  package static let connectable = Self(rawValue: 1 << 1)
  package static let fastConnectable = Self(rawValue: 1 << 2)
  package static let discoverable = Self(rawValue: 1 << 3)
  package static let bondable = Self(rawValue: 1 << 4)
  package static let linkSecurity = Self(rawValue: 1 << 5)
  package static let secureSimplePairing = Self(rawValue: 1 << 6)
  package static let basicRate = Self(rawValue: 1 << 7)
  package static let highSpeed = Self(rawValue: 1 << 8)
  package static let lowEnergy = Self(rawValue: 1 << 9)
  package static let advertising = Self(rawValue: 1 << 10)
  package static let secureConnections = Self(rawValue: 1 << 11)
  package static let debugKeys = Self(rawValue: 1 << 12)
  package static let privacy = Self(rawValue: 1 << 13)
  package static let configuration = Self(rawValue: 1 << 14)
  package static let staticAddress = Self(rawValue: 1 << 15)
  package static let phyConfiguration = Self(rawValue: 1 << 16)
  package static let widebandSpeech = Self(rawValue: 1 << 17)
  package static let isochronousCentral = Self(rawValue: 1 << 18)
  package static let isochronousPeripheral = Self(rawValue: 1 << 19)
  package static let isochronousBroadcaster = Self(rawValue: 1 << 20)
  package static let synchronizedReceiver = Self(rawValue: 1 << 21)
  package static let linkLayerPrivacy = Self(rawValue: 1 << 22)
  /// Periodic Advertising Sync Transfer.
  package static let syncTransferSender = Self(rawValue: 1 << 23)
  package static let syncTransferReceiver = Self(rawValue: 1 << 24)
  package static let shorterConnectionInterval = Self(rawValue: 1 << 25)
}

extension ControllerSettings {
  init?(reading fields: inout ByteReader) {
    guard let value = fields.number(UInt32.self) else { return nil }
    self.init(rawValue: value)
  }
}

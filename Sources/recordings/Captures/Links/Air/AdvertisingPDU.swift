import Bluetooth
import Framing
import HCIPackets

/// A PDU of the advertising channels (Core Specification, Vol 6 Part B 2.3), as far as a recording of links needs it.
enum AdvertisingPDU {
  case legacy(CapturedAdvertisement.Kind, LinkAddress, data: [UInt8]?)
  case extended(ExtendedAdvertisingPDU)
  /// SCAN_REQ and AUX_SCAN_REQ: somebody asks this device for its scan response.
  case scanRequest(DeviceAddress)
  case connection(ConnectionRequest)

  /// - Parameters:
  ///   - header: the first byte: the type, and of which kind the two addresses are.
  ///   - payload: without the CRC.
  init?(header: UInt8, _ payload: ArraySlice<UInt8>) {
    var fields = ByteReader(payload)
    let (sender, target): (LinkAddress.Kind, LinkAddress.Kind) = (
      header & 0x40 == 0 ? .public : .random, header & 0x80 == 0 ? .public : .random
    )
    switch header & 0x0F {
    case 0: self.init(.connectable, sender, &fields)
    case 1: self.init(.directed, sender, &fields)
    case 2: self.init(.nonConnectable, sender, &fields)
    case 3:
      guard fields.skip(6), let address = fields.address() else { return nil }
      self = .scanRequest(address)
    case 4: self.init(.scanResponse, sender, &fields)
    case 5:
      guard let request = ConnectionRequest(&fields, central: sender, peripheral: target) else { return nil }
      self = .connection(request)
    case 6: self.init(.scannable, sender, &fields)
    case 7:
      guard let pdu = ExtendedAdvertisingPDU(&fields, sender) else { return nil }
      self = .extended(pdu)
    default: return nil
    }
  }

  /// The address of the advertiser, and data.
  private init?(
    _ kind: CapturedAdvertisement.Kind, _ sender: LinkAddress.Kind, _ fields: inout ByteReader
  ) {
    guard let address = fields.address() else { return nil }
    self = .legacy(kind, LinkAddress(address, sender), data: kind == .directed ? nil : Array(fields.rest))
  }
}

/// CONNECT_IND and AUX_CONNECT_REQ (2.3.3.1).
struct ConnectionRequest {
  let central: LinkAddress
  let peripheral: LinkAddress
  let accessAddress: UInt32
  let initialCRC: UInt32
  let parameters: ConnectionParameters

  /// Both addresses, access address, initial CRC, size and offset of the window, parameters.
  init?(_ fields: inout ByteReader, central: LinkAddress.Kind, peripheral: LinkAddress.Kind) {
    guard let initiator = fields.address(), let advertiser = fields.address(),
      let accessAddress = fields.number(UInt32.self), let initialCRC = fields.number(UInt32.self, size: 3),
      fields.skip(3),
      let parameters = fields.parameters()
    else { return nil }
    self.central = LinkAddress(initiator, central)
    self.peripheral = LinkAddress(advertiser, peripheral)
    (self.accessAddress, self.initialCRC, self.parameters) = (accessAddress, initialCRC, parameters)
  }
}

/// ADV_EXT_IND and its auxiliary PDUs (2.3.4).
struct ExtendedAdvertisingPDU {
  let isConnectable: Bool
  let isScannable: Bool
  private(set) var isDirected = false
  private(set) var address: LinkAddress?
  /// The number of the set in the highest four bits, and that of its data.
  private(set) var identifier: UInt16?
  /// Whether another PDU goes on with it.
  private(set) var hasAuxiliary = false
  /// The access address of periodic advertising.
  private(set) var periodicAddress: UInt32?
  private(set) var data: [UInt8] = []

  /// Length of the header and mode; if there is a header its flags, and the fields of which they say that they are there.
  init?(_ fields: inout ByteReader, _ sender: LinkAddress.Kind) {
    guard let first = fields.byte(), let header = fields.bytes(Int(first & 0x3F)) else { return nil }
    (isConnectable, isScannable) = (first & 0x40 != 0, first & 0x80 != 0)
    data = Array(fields.rest)
    var parts = ByteReader(header)
    guard let flags = parts.byte() else { return }
    if flags & 0x01 != 0 {
      guard let address = parts.address() else { return nil }
      self.address = LinkAddress(address, sender)
    }
    (isDirected, hasAuxiliary) = (flags & 0x02 != 0, flags & 0x10 != 0)
    guard parts.skip((isDirected ? 6 : 0) + (flags & 0x04 != 0 ? 1 : 0)) else { return nil }
    if flags & 0x08 != 0 {
      guard let identifier = parts.number() else { return nil }
      self.identifier = identifier
    }
    guard parts.skip(hasAuxiliary ? 3 : 0) else { return nil }
    // Offset, interval, channels, access address
    if flags & 0x20 != 0, parts.skip(2 + 2 + 5) { periodicAddress = parts.number() }
  }

  /// 0 to 15.
  var set: UInt8? { identifier.map { UInt8(truncatingIfNeeded: $0 >> 12) } }
}

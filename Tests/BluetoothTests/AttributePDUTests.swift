import TestSupport
import Testing

@testable import Bluetooth

@Suite struct AttributePDUTests {
  /// `6E400001-B5A3-F393-E0A9-E50E24DCCA9E`, least significant byte first.
  static let longUUID = "9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 01 00 40 6E"
  static let nordicUART = BluetoothUUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")!

  /// Each parameter of a PDU once: handles 0x0021 and 0x0022, offset 0x0102, MTU 0x0205.
  static let table: [(String, AttributePDU)] = [
    // request opcode, handle, error
    ("01 0A 21 00 02", .errorResponse(request: .readRequest, handle: 0x21, error: .readNotPermitted)),
    ("01 99 00 00 00", .errorResponse(request: .init(rawValue: 0x99), handle: 0, error: .init(rawValue: 0))),
    // MTU
    ("02 05 02", .exchangeMTURequest(517)),
    ("03 17 00", .exchangeMTUResponse(23)),
    // first handle, last handle
    ("04 01 00 FF FF", .findInformationRequest(.all)),
    // format: 16-bit UUIDs; handle, UUID
    (
      "05 01 21 00 03 28 22 00 E1 FF",
      .findInformationResponse([.init(0x21, 0x2803), .init(0x22, 0xFFE1)])
    ),
    // format: 128-bit UUIDs; handle, UUID
    ("05 02 21 00 \(longUUID)", .findInformationResponse([.init(0x21, nordicUART)])),
    // first handle, last handle, type, value
    (
      "06 01 00 FF FF 00 28 E0 FF",
      .findByTypeValueRequest(.all, type: 0x2800, value: [0xE0, 0xFF])
    ),
    ("06 22 00 21 00 00 28", .findByTypeValueRequest(HandleRange(0x22, 0x21), type: 0x2800, value: [])),
    // found handle, last handle of its group
    ("07 21 00 22 00 30 00 FF FF", .findByTypeValueResponse([.init(0x21, 0x22), .init(0x30, 0xFFFF)])),
    // first handle, last handle, type
    ("08 21 00 22 00 03 28", .readByTypeRequest(HandleRange(0x21, 0x22), type: 0x2803)),
    ("08 21 00 22 00 \(longUUID)", .readByTypeRequest(HandleRange(0x21, 0x22), type: nordicUART)),
    // bytes a row; handle, value
    ("09 03 21 00 AA 22 00 BB", .readByTypeResponse([.init(0x21, [0xAA]), .init(0x22, [0xBB])])),
    ("09 02 21 00", .readByTypeResponse([.init(0x21, [])])),
    // handle
    ("0A 21 00", .readRequest(0x21)),
    // value
    ("0B", .readResponse([])),
    ("0B 34 15", .readResponse([0x34, 0x15])),
    // handle, offset
    ("0C 21 00 02 01", .readBlobRequest(0x21, offset: 0x0102)),
    ("0D 34", .readBlobResponse([0x34])),
    // handles
    ("0E 21 00 22 00", .readMultipleRequest([0x21, 0x22])),
    ("0F 34 15", .readMultipleResponse([0x34, 0x15])),
    // first handle, last handle, type
    ("10 01 00 FF FF 00 28", .readByGroupTypeRequest(.all, type: 0x2800)),
    // bytes a row; first handle, last handle, value
    ("11 06 21 00 22 00 E0 FF", .readByGroupTypeResponse([.init(.init(0x21, 0x22), [0xE0, 0xFF])])),
    // handle, value
    ("12 21 00 A5 06", .writeRequest(0x21, [0xA5, 0x06])),
    ("13", .writeResponse),
    ("52 21 00", .writeCommand(0x21, [])),
    ("52 21 00 A5", .writeCommand(0x21, [0xA5])),
    // handle, value, 12 bytes of signature
    (
      "D2 21 00 A5 01 02 03 04 05 06 07 08 09 0A 0B 0C",
      .signedWriteCommand(0x21, [0xA5], signature: Array(1...12))
    ),
    // handle, offset, part
    ("16 21 00 02 01 A5", .prepareWriteRequest(0x21, offset: 0x0102, part: [0xA5])),
    ("17 21 00 02 01 A5", .prepareWriteResponse(0x21, offset: 0x0102, part: [0xA5])),
    // 0 cancels, 1 writes
    ("18 00", .executeWriteRequest(commits: false)),
    ("18 01", .executeWriteRequest(commits: true)),
    ("19", .executeWriteResponse),
    // handle, value
    ("1B 21 00 4F 4B", .notification(0x21, [0x4F, 0x4B])),
    ("1D 21 00 4F 4B", .indication(0x21, [0x4F, 0x4B])),
    ("1E", .confirmation),
    // handle, length, value
    (
      "23 21 00 02 00 4F 4B 22 00 00 00",
      .multipleNotification([.init(0x21, [0x4F, 0x4B]), .init(0x22, [])])
    ),
    // handles
    ("20 21 00 22 00 23 00", .readMultipleVariableRequest([0x21, 0x22, 0x23])),
    // length, value; the last one is cut
    (
      "21 02 00 4F 4B 00 00",
      .readMultipleVariableResponse([.init(length: 2, [0x4F, 0x4B]), .init(length: 0, [])])
    ),
    (
      "21 01 00 4F 00 02 4B",
      .readMultipleVariableResponse([.init(length: 1, [0x4F]), .init(length: 512, [0x4B])])
    ),
    // unassigned opcodes
    ("24 21 00", .unknown(.init(rawValue: 0x24), [0x21, 0])),
    ("FF", .unknown(.init(rawValue: 0xFF), [])),
  ]

  @Test(arguments: table)
  func `is read and written`(text: String, pdu: AttributePDU) throws {
    #expect(try AttributePDU(bytes(text)) == pdu)
    #expect(pdu.encode() == bytes(text))
  }

  @Test(arguments: table)
  func `cut short it is something else or an error, and so it is with a byte more`(
    text: String, pdu: AttributePDU
  ) throws {
    let whole = bytes(text)
    for count in 0..<whole.count { #expect((try? AttributePDU(Array(whole[..<count]))) != pdu) }
    #expect((try? AttributePDU(whole + [0])) != pdu)
  }

  @Test func `the table has every opcode that is known`() {
    let opcodes = Set(Self.table.map { $0.1.opcode.rawValue })
    let unknown = (UInt8.min...UInt8.max).filter { opcode in
      let samples = (0...24).map { AttributePDU.sample(opcode, count: $0) }
      return samples.allSatisfy { $0 == nil || $0?.isUnknown == true }
    }
    #expect(opcodes.count - 2 + unknown.count == 256)
  }

  @Test(
    arguments: [
      ("", .empty),
      ("01 0A 21 00", .wrongLength(.errorResponse, 4)),
      ("02 17", .wrongLength(.exchangeMTURequest, 2)),
      ("03 17 00 00", .wrongLength(.exchangeMTUResponse, 4)),
      ("04 01 00 FF", .wrongLength(.findInformationRequest, 4)),
      ("05 01", .wrongLength(.findInformationResponse, 2)),
      ("05 01 21 00 03", .wrongLength(.findInformationResponse, 5)),
      ("05 00 21 00 03 28", .invalidParameter(.findInformationResponse, 0)),
      ("05 03 21 00 03 28", .invalidParameter(.findInformationResponse, 3)),
      ("06 01 00 FF FF 00", .wrongLength(.findByTypeValueRequest, 6)),
      ("07", .wrongLength(.findByTypeValueResponse, 1)),
      ("07 21 00 22 00 23", .wrongLength(.findByTypeValueResponse, 6)),
      ("08 21 00 22 00 03", .wrongLength(.readByTypeRequest, 6)),
      ("08 21 00 22 00 03 28 00 00", .wrongLength(.readByTypeRequest, 9)),  // no UUID has 4 bytes
      ("09 01 21", .invalidParameter(.readByTypeResponse, 1)),
      ("09 03", .wrongLength(.readByTypeResponse, 2)),
      ("09 03 21 00 AA 22", .wrongLength(.readByTypeResponse, 6)),
      ("0A 21", .wrongLength(.readRequest, 2)),
      ("0C 21 00 02", .wrongLength(.readBlobRequest, 4)),
      ("0E 21 00", .wrongLength(.readMultipleRequest, 3)),
      ("0E 21 00 22 00 23", .wrongLength(.readMultipleRequest, 6)),
      ("11 03 21 00 22", .invalidParameter(.readByGroupTypeResponse, 3)),
      ("11 04", .wrongLength(.readByGroupTypeResponse, 2)),
      ("12 21", .wrongLength(.writeRequest, 2)),
      ("13 00", .wrongLength(.writeResponse, 2)),
      ("D2 21 00 01 02 03 04 05 06 07 08 09 0A 0B", .wrongLength(.signedWriteCommand, 14)),
      ("16 21 00 02", .wrongLength(.prepareWriteRequest, 4)),
      ("18", .wrongLength(.executeWriteRequest, 1)),
      ("18 02", .invalidParameter(.executeWriteRequest, 2)),
      ("1B 21", .wrongLength(.notification, 2)),
      ("1E 00", .wrongLength(.confirmation, 2)),
      ("20", .wrongLength(.readMultipleVariableRequest, 1)),
      ("20 21 00", .wrongLength(.readMultipleVariableRequest, 3)),
      ("20 21 00 22 00 23", .wrongLength(.readMultipleVariableRequest, 6)),
      ("21", .wrongLength(.readMultipleVariableResponse, 1)),
      ("21 01 00 4F 00", .wrongLength(.readMultipleVariableResponse, 5)),
      ("23", .wrongLength(.multipleNotification, 1)),
      ("23 21 00 03 00 4F 4B", .wrongLength(.multipleNotification, 7)),
    ] as [(String, AttributePDU.DecodingError)])
  func `bytes that are not a PDU have a reason`(text: String, error: AttributePDU.DecodingError) {
    #expect(throws: error) { try AttributePDU(bytes(text)) }
  }

  @Test func `random bytes never crash, and a decoded PDU survives encoding and decoding`() throws {
    var random = SplitMix64(seed: 3)
    var count = 0
    for _ in 0..<20_000 {
      let opcode = Self.table.randomElement(using: &random)!.1.opcode.rawValue
      let parameters = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...(Bool.random(using: &random) ? 255 : 4), using: &random)
      }
      guard let pdu = try? AttributePDU([opcode] + parameters) else { continue }
      count += 1
      #expect(try AttributePDU(pdu.encode()) == pdu)
    }
    #expect(count > 5_000)
  }

  @Test func `short UUIDs in the long form are the same UUIDs`() throws {
    // format: 128-bit UUIDs; handle 0x0021, FFE1 on the Bluetooth base
    let long = bytes("05 02 21 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 E1 FF 00 00")
    #expect(try AttributePDU(long) == .findInformationResponse([.init(0x21, 0xFFE1)]))
  }

  @Test func `rows with short and long UUIDs are all written in the long form`() throws {
    let pdu = AttributePDU.findInformationResponse([.init(0x21, 0xFFE1), .init(0x22, Self.nordicUART)])
    #expect(pdu.encode().count == 2 + 2 * 18)
    #expect(try AttributePDU(pdu.encode()) == pdu)
  }

  /// ATT has no 32-bit UUIDs.
  @Test func `a 32-bit UUID is written in the long form`() throws {
    let pdu = AttributePDU.readByTypeRequest(.all, type: BluetoothUUID(0x0001_FFE0))
    #expect(pdu.encode().count == 5 + 16)
    #expect(try AttributePDU(pdu.encode()) == pdu)
  }
}

extension AttributePDU {
  /// A PDU of that opcode and so many parameters, if there is such a one.
  fileprivate static func sample(_ opcode: UInt8, count: Int) -> AttributePDU? {
    // 4 is a length that a row can have, 1 a format and a flag.
    let fills: [UInt8] = [0, 1, 4]
    return fills.lazy.compactMap { try? AttributePDU([opcode] + [UInt8](repeating: $0, count: count)) }.first
  }

  fileprivate var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}

import DefinitionWriter
import Bluetooth
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// The bonds in a file of kept settings.
@Suite struct KeptBondsTests {
  static let device = load("name: Lock").definition!
  static let address = DeviceAddress("00:1A:7D:DA:71:13")!
  static let bonds: [KeptBond] = {
    var first = Bond(
      with: LinkAddress(DeviceAddress("C2:32:75:0A:11:9E")!, .random),
      longTermKeys: [
        LongTermKey(
          kind: 0, isOfCentral: true, size: 7, ediv: 0xFFFE, rand: Array(1...8), value: Array(0...15)),
        LongTermKey(
          kind: 3, isOfCentral: false, size: 16, ediv: 0, rand: Array(repeating: 0, count: 8),
          value: Array(0xF0...0xFF)),
      ], identityResolvingKey: Array(0x10...0x1F), configurations: ["FFE1": 1, "level": 2, "2A05": 3])
    first.features = [.robustCaching, .multipleNotifications]
    first.table = Array(0xA0...0xA7)
    return [KeptBond(first, of: address), KeptBond(Bond(with: LinkAddress(address)), of: address)]
  }()
  static let text = """
    definition: "Lock"
    settings: {}
    bonds:
      - central: "C2:32:75:0A:11:9E"
        address-type: random
        device: "00:1A:7D:DA:71:13"
        identity-resolving-key: "10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F"
        long-term-keys:
          - { kind: unauthenticated, role: central, size: 7, ediv: 65534, rand: "01 02 03 04 05 06 07 08", value: "00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F" }
          - { kind: secure-authenticated, role: peripheral, size: 16, ediv: 0, rand: "00 00 00 00 00 00 00 00", value: "F0 F1 F2 F3 F4 F5 F6 F7 F8 F9 FA FB FC FD FE FF" }
        configurations: { 2A05: notify-and-indicate, FFE1: notify, level: indicate }
        client-features: [robust-caching, multiple-notifications]
        table: "A0 A1 A2 A3 A4 A5 A6 A7"
      - central: "00:1A:7D:DA:71:13"
        address-type: public
        device: "00:1A:7D:DA:71:13"

    """

  static func parse(_ text: String) -> Result<[KeptBond], KeptSettingsMistakes> {
    KeptSettings.parse(SourceText(name: "state.yaml", text: text), for: device).map(\.bonds)
  }

  @Test func `they are written, and read again`() throws {
    #expect(KeptSettings.text(of: [], bonds: Self.bonds, for: Self.device) == Self.text)
    #expect(try Self.parse(Self.text).get() == Self.bonds)
  }

  @Test(arguments: [
    (
      "bonds: all",
      """
      state.yaml:2:8: error: expected a list of bonds, found 'all'
          2 | bonds: all
            |        ^~~
      """
    ),
    (
      "bonds: [{ central: 00:1A:7D:DA:71:13 }]",
      """
      state.yaml:2:9: error: 'device' of a bond is missing
          2 | bonds: [{ central: 00:1A:7D:DA:71:13 }]
            |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ remove the bond
      """
    ),
    (
      "bonds: [{ central: 00:1A:7D:DA:71, device: 00:1A:7D:DA:71:13 }]",
      """
      state.yaml:2:20: error: expected a Bluetooth address, found '00:1A:7D:DA:71'
          2 | bonds: [{ central: 00:1A:7D:DA:71, device: 00:1A:7D:DA:71:13 }]
            |                    ^~~~~~~~~~~~~~ an address has six bytes: 00:1A:7D:DA:71:13
      """
    ),
    (
      "bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, identity-resolving-key: 0102 }]",
      """
      state.yaml:2:90: error: expected 16 bytes, found 2
          2 | bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, identity-resolving-key: 0102 }]
            |                                                                                          ^~~~ correct it, or remove the bond; the central must then pair again
      """
    ),
    (
      "bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, table: 01G2 }]",
      """
      state.yaml:2:75: error: 'G' is not a hexadecimal digit
          2 | bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, table: 01G2 }]
            |                                                                           ^ bytes are written in hex: A5 06 83
      """
    ),
    (
      "bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, configurations: { FFE1: 1 } }]",
      """
      state.yaml:2:90: error: expected notify, indicate, notify-and-indicate, found '1'
          2 | bonds: [{ central: 00:1A:7D:DA:71:13, device: 00:1A:7D:DA:71:13, configurations: { FFE1: 1 } }]
            |                                                                                          ^ correct it, or remove the bond; the central must then pair again
      """
    ),
  ])
  func `a mistake is shown at its place`(text: String, report: String) {
    #expect(Self.report("definition: Lock\n" + text + "\n") == report + "\n")
  }

  @Test(arguments: [
    ("random\n", "randon\n", "expected public, random, found 'randon'"),
    ("    address-type: random", "    adress-type: random", "a bond has no key 'adress-type'"),
    ("size: 7,", "size: 6,", "expected a number from 7 to 16, found '6'"),
    ("ediv: 65534", "ediv: 65536", "expected a number from 0 to 65535, found '65536'"),
    ("rand: \"01", "rand: \"01 01", "expected 8 bytes, found 9"),
    (
      "[robust-caching,", "[caching,",
      "expected robust-caching, enhanced-att, multiple-notifications, found 'caching'"
    ),
    ("[robust-caching, multiple-notifications]", "1", "expected a list of features, found '1'"),
    ("kind: unauthenticated, ", "", "'kind' of a long term key is missing"),
    ("role: central", "role: centre", "expected peripheral, central, found 'centre'"),
    (
      "\"00:1A:7D:DA:71:13\"\n    address-type: public", "\"C2:32:75:0A:11:9E\"\n    address-type: random",
      "this is a second bond with C2:32:75:0A:11:9E (random)"
    ),
  ])
  func `each mistake is found`(right: String, wrong: String, message: String) {
    let text = Self.text.replacing(right, with: wrong)
    #expect(text != Self.text)
    #expect(Self.report(text)?.contains("error: \(message)\n") == true)
  }

  @Test func `one mistake does not hide another in the same key`() {
    let text = Self.text.replacing("size: 7,", with: "size: 6,").replacing(
      "rand: \"01", with: "rand: \"01 01")
    let report = Self.report(text)
    #expect(report?.contains("expected a number from 7 to 16, found '6'") == true)
    #expect(report?.contains("expected 8 bytes, found 9") == true)
  }

  private static func report(_ text: String) -> String? {
    guard case .failure(let mistakes) = parse(text) else { return nil }
    return mistakes.report
  }
}

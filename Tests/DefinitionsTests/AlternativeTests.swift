import DeviceModel
import Testing

@testable import Definitions

/// Data with one key and several layouts.
@Suite struct AlternativeTests {
  private static let device = """
    settings:
      kind: { type: integer, min: 0, max: 2, default: 0 }
    advertisement:
      service-data:
        FEAA: [{ bytes: "20 00", if: kind == 0 }, { bytes: "10 00", if: kind < 2 }, "30 00"]
      manufacturer-data: { 004C: [{ bytes: "02 15", if: kind == 1 }, { bytes: "10 05", if: kind == 2 }] }
      raw: { 24: [{ bytes: "17 2F", if: kind == 0 }, { bytes: "17 30", if: kind < 2 }] }
    """

  @Test(arguments: [
    (0, [[0x20, 0], [0x17, 0x2F]]), (1, [[0x10, 0], [2, 0x15], [0x17, 0x30]]), (2, [[0x30, 0], [0x10, 5]]),
  ])
  func `the first whose condition is true is advertised`(kind: Int, expected: [[UInt8]]) throws {
    let device = try DecoderTests.definition(Self.device)
    var context = device.initialContext
    context.settings = [.integer(Int64(kind))]
    let advertisement = try device.advertised(in: context)
    let all =
      advertisement.serviceData.map(\.bytes) + advertisement.manufacturerData.map(\.bytes)
      + advertisement.rawStructures.map(\.value)
    #expect(all == expected)
  }

  @Test func `each is tried with the values that it depends on`() {
    let report = load(
      """
      settings: { is-long: { type: boolean, default: false } }
      advertisement:
        service-data:
          FEAA:
            - { bytes: "20 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A", if: is-long }
            - "10 00"
      """
    ).report
    #expect(report.contains("with is-long=true"))
  }

  @Test func `a list takes the place of that in an extended definition`() throws {
    let base =
      "blemu: 1\nname: Base\nadvertisement: { service-data: { FEAA: [{ bytes: \"20\", if: centrals == 1 }, \"30\"] } }\nservices: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]\n"
    let loaded = load(
      "extends: base\nadvertisement: { service-data: { FEAA: [\"40\"] } }", bundled: ["base": base])
    let device = try #require(loaded.definition, "\(loaded.report)")
    #expect(try device.advertised(in: device.initialContext).serviceData.map(\.bytes) == [[0x40]])
  }
}

import Bluetooth
import DeviceModel
import TestSupport
import Testing

@testable import AttributeServer
@testable import Behavior

/// Attributes that change while centrals are connected (Vol 3 Part G 2.5.2 and 7.1).
@Suite struct ChangingTests {
  /// `43` at the wire side adds or removes FFF0, `44` the door; `4E` sends from the data, `49` from the door.
  private static func device(_ others: String = "") -> PeripheralDefinition {
    definition(
      """
      settings: { has-more: { type: boolean, default: false }, has-door: { type: boolean, default: true } }
      services:\(others)
        - { uuid: FFF0, if: has-more, characteristics: [{ uuid: FFF1, properties: [read, notify] }] }
        - uuid: FFE0
          characteristics:
            - { id: data, uuid: FFE1, properties: [read, write, notify] }
            - { id: door, uuid: FFE2, properties: [read, write, indicate], if: has-door }
      rules:
        - on: { receive: { bytes: "43" }, from: wire }
          do: [{ set: { has-more: not has-more } }, apply-attributes]
        - on: { receive: { bytes: "44" }, from: wire }
          do: [{ set: { has-door: not has-door } }, apply-attributes]
        - { on: { receive: { bytes: "4E {part: bytes}" }, from: wire }, do: { send: { bytes: "{part}" }, to: data } }
        - { on: { receive: { bytes: "49 {part: bytes}" }, from: wire }, do: { send: { bytes: "{part}" }, to: door } }
        - { on: { unsubscribe: door }, do: { send: { bytes: "55" }, to: data } }
      """)
  }

  /// Service Changed is 0008, its CCCD 0009; the data 000C, 000D; the door 000F, 0010.
  private static let plain = device()

  /// Service Changed is 0006, its CCCD 0007, Client Supported Features 0009; the data 000E, 000F; the door 0011, 0012.
  private static let caching = device(
    """

      - { uuid: 1800, characteristics: [{ uuid: 2A00, properties: [read], text: Door }] }
      - uuid: 1801
        characteristics:
          - { uuid: 2A05, properties: [indicate] }
          - { uuid: 2B29, properties: [read, write] }
          - { uuid: 2B2A, properties: [read] }
    """)

  private static let scenarios: [Scenario] = [
    Scenario(
      "attributes after a new service move, and stay where they are when it goes",
      plain,
      """
      > 12 09 00 02 00
      < 13
      > 12 0D 00 01 00
      < 13
      2> 12 0D 00 01 00
      2< 13
      ] 4E 01
      < 1B 0C 00 01
      2< 1B 0C 00 01
      ] 43
      < 1D 08 00 0A 00 14 00
      > 1E
      ] 4E 02
      < 1B 10 00 02
      2< 1B 10 00 02
      2> 0A 11 00
      2< 0B 01 00
      ] 43
      < 1D 08 00 0A 00 0D 00
      > 1E
      ] 4E 03
      < 1B 10 00 03
      2< 1B 10 00 03
      2> 0A 0C 00
      2< 01 0A 0C 00 01
      ] 43
      < 1D 08 00 0A 00 0D 00
      > 10 0A 00 FF FF 00 28
      < 11 06 0A 00 0D 00 F0 FF 0E 00 14 00 E0 FF
      """),
    Scenario(
      "the subscription to what has vanished ends, and so do the values that wait",
      plain,
      """
      > 12 0D 00 01 00
      < 13
      > 12 10 00 02 00
      < 13
      ] 49 01
      < 1D 0F 00 01
      ] 49 02
      ] 44
      < 1B 0C 00 55
      > 1E
      > 0A 10 00
      < 01 0A 10 00 01
      ] 44
      > 0A 10 00
      < 0B 00 00
      ] 49 03
      """),
    Scenario(
      "a value that waits goes out with the handle that its characteristic has then",
      plain,
      """
      > 12 10 00 02 00
      < 13
      ] 49 01
      < 1D 0F 00 01
      ] 49 02
      ] 43
      > 1E
      < 1D 13 00 02
      """),
    Scenario(
      "prepared writes for what has vanished are dropped",
      plain,
      """
      > 16 0F 00 00 00 41
      < 17 0F 00 00 00 41
      > 16 0C 00 00 00 42
      < 17 0C 00 00 00 42
      ] 44
      ] 44
      > 18 01
      < 19
      > 0A 0C 00
      < 0B 42
      > 0A 0F 00
      < 0B
      """),
    Scenario(
      "a central with Robust Caching knows nothing until it looks",
      caching,
      """
      > 12 09 00 01
      < 13
      > 12 0F 00 01 00
      < 13
      2> 12 0F 00 01 00
      2< 13
      ] 44
      ] 4E 01
      2< 1B 0E 00 01
      2> 0A 0E 00
      2< 0B 01
      > 0A 0E 00
      < 01 0A 0E 00 12
      > 0A 0E 00
      < 0B 01
      ] 4E 02
      < 1B 0E 00 02
      2< 1B 0E 00 02
      """),
    // The hash, a value of Generic Attribute, has changed, too: the range has that service.
    Scenario(
      "it knows the attributes once it has confirmed the last change",
      caching,
      """
      > 12 09 00 01
      < 13
      > 12 07 00 02 00
      < 13
      > 12 0F 00 01 00
      < 13
      ] 44
      < 1D 06 00 04 00 12 00
      ] 44
      > 1E
      < 1D 06 00 04 00 12 00
      ] 4E 01
      > 1E
      ] 4E 02
      < 1B 0E 00 02
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  @Test func `values without a subscription begin and end with their characteristic`() throws {
    let device = definition(
      """
      settings: { has-more: { type: boolean, default: false } }
      services:
        - uuid: FFE0
          characteristics:
            - { id: data, uuid: FFE1, properties: [notify], cccd: none }
            - { id: more, uuid: FFE2, properties: [notify], cccd: none, if: has-more }
      rules:
        - { on: { receive: { bytes: "43" }, from: wire }, do: [{ set: { has-more: not has-more } }, apply-attributes] }
        - { on: { subscribe: more }, do: { send: { bytes: "01" }, to: more } }
        - { on: { unsubscribe: more }, do: { send: { bytes: "02" }, to: data } }
      """)
    // More is at 000E; each central has subscribed.
    try expect(
      device,
      "] 43\n< 1B 0E 00 01\n< 1B 0E 00 01\n2< 1B 0E 00 01\n] 43\n< 1B 0C 00 02\n2< 1B 0C 00 02\n< 1B 0C 00 02\n2< 1B 0C 00 02"
    )
  }
}

import BlueZLimits
import DeviceModel
import Exact
import TestSupport
import Testing

@testable import CommandLineTool
@testable import Devices

@Suite struct DefinitionSheetTests {
  private static func sheet(_ name: String, _ assignments: String...) throws -> String {
    let library = DefinitionLibrary.ofThisProgram()
    let choice = try DefinitionChoice(name, assignments: assignments, on: .bluez(.first), library: library)
    return try DefinitionSheet(choice, BlueZLimits()).text.replacingFolder(of: library)
  }

  @Test func `settings that the transport cannot serve are an error`() throws {
    let show = try ShowCommand(Arguments(["hm-10", "--set", "uuid=1800"], for: .show))
    let problem =
      "the service 'FFE0': BlueZ serves its own Generic Access (1800) instead of this one, and there is no other "
      + "service"
    #expect(throws: CommandError.badSettings(problem: problem)) { try show.run() }
  }

  @Test func `the sheet shows what only rules and permissions decide`() throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/watched.yaml", assignments: [], on: .exact(.first))
    let text = try DefinitionSheet(choice, ExactLimits()).text
    #expect(text.contains("\n  000C      value 'serial'\n  000D      2902 (Client"))
    #expect(text.contains("\n  000E      2901 (Characteristic User Description)\n"))
    #expect(text.contains("FFE2                          read, write\n  0012      value, no-read\n"))
    #expect(text.contains("on write serial/2902 if value[0] == 2\n"))
    let greeted = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/greeted.yaml", assignments: [], on: .exact(.first))
    let variables = try DefinitionSheet(greeted, ExactLimits()).text
    #expect(variables.contains("\n  count                 0                   integer, for each central\n"))
  }

  @Test func `the sheet lists controls with what they set`() throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/conversation.yaml", assignments: [], on: .loopback)
    #expect(
      BehaviorSheet(choice).text.contains(
        """

        controls
          button                The red button      button
          power                                     switch, sets power
          level                                     slider, sets level

        """))
  }

  @Test func `the sheet shows the whole device`() throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/meter.yaml", assignments: ["local-name=Demo"],
      on: .bluez(.first))
    let text = try DefinitionSheet(choice, BlueZLimits()).text
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n") == """
        simulates a meter

        advertising data, 21 of 31 bytes
          0              5              10             15             20
          03 03 E0 FF 0A FF 48 4D 00 00 00 00 00 00 07 02 01 06 02 0A 04

          0   03 03 E0 FF                       services
          4   0A FF 48 4D 00 00 00 00 00 00 07  manufacturer-data
          15  02 01 06                          flags
          18  02 0A 04                          tx-power
        scan response, 6 of 31 bytes
          0              5
          05 09 44 65 6D 6F

          0   05 09 44 65 6D 6F                 local-name
          the adapter's address appears as 00 00 00 00 00 00

        attributes
          0015  service FFE0
          0017    FFE1 'inlet'                  write
          0019    FFE2 'outlet'                 read, notify
          001A      2902 (Client Characteristic Configuration), made by BlueZ
          001B      2901 (Characteristic User Description)  read
          handles as BlueZ 5.66 assigns them to the first device after bluetoothd starts; later devices get higher ones
          sends at most 20 bytes per value (MTU 23)
          accepts one central at a time

        wire side
          outputs the bytes written to inlet, and sends its input from outlet
          at 9600 baud

        settings
          local-name            Demo                text, at most 8 bytes
          unit                  kg                  one of kg, lb

        variables
          count                 0                   integer from 0

        states
          idle, busy

        generators
          level                 sine from 10.0 to 20.0 in 30s

        messages, with examples
          ask                   "ASK{channel: dec(2)}\\r\\n"
                                "ASK01\\r\\n"  channel=1
          answer                5A {level: u16be} {sum8(1)}
                                5A 00 01 01  level=1

        rules, by line; the first rule that matches an event fires
          34    on receive ask in idle if channel < 9
                  send answer with level = level + channel
                  set count = count + 1
                  enter busy
          41    on enter busy
                  wait 1s
                  enter idle
                  log {unit} {count}

        """)
  }

  @Test func `a device that only advertises has no attributes`() throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/beacon.yaml", assignments: [], on: .exact(.first))
    let text = try DefinitionSheet(choice, ExactLimits()).text
    #expect(text.contains("  3   04 FF FF FF 14                    manufacturer-data\n"))
    #expect(!text.contains("attributes"))
  }

  @Test(arguments: [
    ("false", "4C 36 29 BC 84 C8 8A 21 DA 32 49 11 05 56 23 5A"),
    ("true", "0B DE D1 A7 0D C8 F1 85 88 E9 1F 64 D3 E5 3C 45"),
  ])
  func `the sheet for exact has the hash of the attributes`(hasMore: String, hash: String) throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/caching.yaml", assignments: ["has-more=\(hasMore)"],
      on: .exact(.first))
    let text = try DefinitionSheet(choice, ExactLimits()).text
    #expect(
      text.contains(
        """
          000A    2B29 (Client Supported Features)  read, write
          000B      value                         one for each central
          000C    2B2A (Database Hash)          read
          000D      value                         \(hash)
        """), "\(text)")
  }

  @Test func `the sheet for the loopback has no packets and no handles`() throws {
    let choice = try DefinitionChoice(
      "\(Repository.path)Tests/VM/definitions/meter.yaml", assignments: ["local-name=Demo"], on: .loopback)
    let text = try DefinitionSheet(choice, NoLimits()).text
    #expect(
      text.contains(
        """
        advertisement
          local-name="Demo"
          services=FFE0
          manufacturer-data=4D48:00000000000007
          tx-power=4
          discoverable=true
          connectable=true
          the adapter's address appears as 00 00 00 00 00 00

        attributes
          service FFE0
            FFE1 'inlet'                  write
            FFE2 'outlet'                 read, notify
              2901 (Characteristic User Description)  read
          sends at most 20 bytes per value (MTU 23)
        """), "\(text)")
  }

  @Test(arguments: [
    ("C0:00:00:00:00:01", "exact", "  address: C0:00:00:00:00:01, static random\n", "C0 00 00 00 00 01"),
    (
      "random", "exact",
      "  address: static random, always the same on an adapter\n  the device's address appears as 00 00 00 00 00 00\n",
      "00 00 00 00 00 00"
    ),
    (
      "C0:00:00:00:00:01", "bluez",
      "  address: the adapter's; with --on exact, C0:00:00:00:00:01, static random\n"
        + "  the adapter's address appears as 00 00 00 00 00 00\n", "00 00 00 00 00 00"
    ),
  ])
  func `a device that has an address shows it`(address: String, on: String, lines: String, bytes: String)
    throws
  {
    let folder = TemporaryFolder([
      "lamp.yaml": """
      blemu: 1
      name: Lamp
      advertisement: { address: "\(address)", manufacturer-data: { FFFF: "{address}" } }
      generators: { level: { shape: ramp, from: 0, to: 1, over: 120min } }
      rules: [{ on: connect, do: { log: "{level}" } }]
      """
    ])
    let transport = try TransportSpecification(on)
    let choice = try DefinitionChoice(folder.path + "lamp.yaml", assignments: [], on: transport)
    let text = try DefinitionSheet(choice, transport.limits).text
    #expect(text.contains(lines), "\(text)")
    #expect(text.contains("FF FF " + bytes), "\(text)")
    #expect(text.contains("ramp from 0.0 to 1.0 in 2h"), "\(text)")
    let json = try ShowCommand.description(of: choice, transport.limits)
    #expect(json["address"]?.text == (on == "bluez" ? nil : address))
  }

  @Test func `the loopback shows a device that BlueZ cannot serve`() throws {
    _ = try ShowCommand(Arguments(["hm-10", "--set", "uuid=1800", "--on", "loopback"], for: .show)).run()
  }

  @Test(arguments: [
    (
      ["uuid=FFF0"], "03 03 F0 FF",
      """
        0015  service FFF0
        0017    FFE1                          read, write-without-response, notify
        0018      2902 (Client Characteristic Configuration), made by BlueZ
        0019      2901 (Characteristic User Description)  read
        the UUID of service 'FFE0' is {uuid}
        the UUID of 'FFE1' is {char}
        the UUID of 'FFE2' is {(char[0] << 8 | char[1]) + if(ffe2 == '2', -1, 1) & 0xFFFF: u16be}
        'FFE2' exists if ffe2 != '0' (false with these settings)
      """
    ),
    (
      ["char=FFD1", "ffe2=1"], "03 03 E0 FF",
      """
        0015  service FFE0
        0017    FFD1 'FFE1'                   read, write-without-response, notify
        0018      2902 (Client Characteristic Configuration), made by BlueZ
        0019      2901 (Characteristic User Description)  read
        001B    FFD2 'FFE2'                   write-without-response
        the UUID of service 'FFE0' is {uuid}
        the UUID of 'FFE1' is {char}
        the UUID of 'FFE2' is {(char[0] << 8 | char[1]) + if(ffe2 == '2', -1, 1) & 0xFFFF: u16be}
        'FFE2' exists if ffe2 != '0'
        handles
      """
    ),
  ])
  func `the sheet shows how attributes depend on settings`(
    assignments: [String], services: String, attributes: String
  ) throws {
    let choice = try DefinitionChoice(
      "hm-10", assignments: assignments, on: .bluez(.first), library: .ofThisProgram())
    let text = try DefinitionSheet(choice, BlueZLimits()).text
    #expect(text.contains("  0   \(services) "))
    #expect(text.contains("attributes\n" + attributes), "\(text)")
  }

  @Test func `the sheet shows messages with examples, and rules`() throws {
    let text = try Self.sheet("bracelet")
    #expect(
      text.contains(
        """
        messages, with examples
          day-request           A5 06 03 {month: u8} {day: u8} {xor8}
                                A5 06 03 01 02 A3  month=1  day=2
          day-total             A5 06 83 {packets: u16le} {xor8}
                                A5 06 83 01 00 21  packets=1
        """))
    #expect(
      text.contains(
        "on receive day-request\n          send day-total with packets = ceil(history[month, day].samples.size / 15)\n"
      ))
    #expect(!text.contains("the adapter's address"))
  }
}

extension String {
  fileprivate func replacingFolder(of library: DefinitionLibrary) -> String {
    let folder = library.folder ?? ""
    return split(separator: folder, omittingEmptySubsequences: false).joined(separator: "…")
  }
}

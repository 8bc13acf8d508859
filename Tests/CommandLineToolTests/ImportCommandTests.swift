import Testing

@testable import CommandLineTool

@Suite struct ImportCommandTests {
  private static let services = """
    [ { "uuid": "1800", "startHandle": 1, "endHandle": 3, "characteristics": [
        { "uuid": "2a00", "properties": [ "read" ], "value": "4c616d70", "descriptors": [], "startHandle": 2, "valueHandle": 3 } ] },
      { "uuid": "ffe0", "startHandle": 16, "endHandle": 65535, "characteristics": [
        { "uuid": "ffe1", "properties": [ "writeWithoutResponse", "notify" ], "value": "",
          "descriptors": [ { "handle": 19, "uuid": "2902", "value": "" }, { "handle": 20, "uuid": "2901", "value": "4f6e" } ],
          "startHandle": 17, "valueHandle": 18 } ] } ]
    """
  private static let advertisement =
    "{ \"id\": \"c40000000001\", \"eir\": \"0201060303e0ff\", \"scanResponse\": \"05094c616d70\" }"

  private let shell = Shell([
    "lamp.srv.json": services, "lamp.adv.json": advertisement,
    "primary": "attr handle = 0x0001, end grp handle = 0x00g5 uuid: 1800\n",
    "attributes": """
    Primary Service (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a
    \t0000ffe0-0000-1000-8000-00805f9b34fb
    Characteristic (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b
    \t0000ffe1-0000-1000-8000-00805f9b34fb
    Descriptor (Handle 0x0000)
    \t/org/bluez/hci0/dev_C4_00_00_00_00_01/service000a/char000b/desc000d
    \t00002902-0000-1000-8000-00805f9b34fb
    """,
  ])

  @Test func `a definition is made of two files, and loads`() throws {
    let result = shell.run("blemu import lamp.srv.json lamp.adv.json")
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(
      result.output == """
        made lamp/lamp.yaml of the services of GATTacker and the advertisement of GATTacker
        known: 2 services, 2 characteristics, 2 descriptors, 2 values, 1 advertisement
          Secondary services are not known: all are primary.
          Included services are not known.
          An empty value may be one that could not be read.
          The security that an attribute requires is not known.
          The type of the advertising is not known: blemu makes it connectable.
          The advertising interval is not known.
          Whether the address is public or random is not known.
          Answers and notifications are not known: write rules, or learn them from a recording with 'blemu learn'.
        next:

          blemu check lamp
          blemu show lamp --on exact

        """)
    let checked = shell.run("blemu check --on exact lamp")
    #expect(checked.status == 0, "\(checked)")
    let shown = shell.run("blemu show lamp --on exact").output
    for line in ["0010  service FFE0", "0012      value", "0014      2901"] {
      #expect(shown.contains(line), "\(shown)")
    }
  }

  @Test func `nothing is overwritten, and a name and a folder can be chosen`() {
    let command = "blemu import lamp.srv.json --name led -o new"
    #expect(shell.run(command).status == 0)
    #expect(shell.run("blemu check --on exact new/led.yaml").status == 0)
    #expect(shell.run(command).status == 73)
    #expect(shell.run("blemu import lamp.srv.json --name '1 2'").status == 64)
  }

  @Test func `attributes without properties make a definition that says so`() {
    #expect(shell.run("blemu import attributes --name lamp").status == 0)
    #expect(shell.folder.read("lamp/lamp.yaml")?.contains("its properties are not known") == true)
    let checked = shell.run("blemu check --on exact lamp")
    #expect(checked.status == 0, "\(checked)")
  }

  @Test func `a damaged file is refused with its line`() {
    let result = shell.run("blemu import primary")
    #expect(result.status == 65)
    #expect(result.error.hasPrefix("primary:1:1: error: '0x00g5' is not a handle\n"), "\(result.error)")
    #expect(shell.run("blemu import nothing").status == 66)
    #expect(shell.run("blemu import").status == 64)
  }
}

import Testing

@testable import CommandLineTool

@Suite struct ImportCommandTests {
  private static let services = """
    attr handle = 0x0001, end grp handle = 0x0003 uuid: 1800
    attr handle = 0x0010, end grp handle = 0xffff uuid: ffe0
    """
  private static let session = """
    [LE]> characteristics
    handle: 0x0002, char properties: 0x02, char value handle: 0x0003, uuid: 2a00
    handle: 0x0011, char properties: 0x14, char value handle: 0x0012, uuid: ffe1
    [LE]> char-desc 0x0013 0x0014
    handle: 0x0013, uuid: 2902
    handle: 0x0014, uuid: 2901
    [LE]> char-read-hnd 0x0003
    Characteristic value/descriptor: 4c 61 6d 70
    [LE]> char-read-hnd 0x0014
    Characteristic value/descriptor: 4f 6e
    """

  private let shell = Shell([
    "lamp.txt": services, "session.txt": session,
    "server.xml": """
    <server-configuration name="Desk Lamp"><service uuid="ffe0">
      <characteristic uuid="ffe1" value="01"><property name="READ"/></characteristic>
    </service></server-configuration>
    """,
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
    let result = shell.run("blemu import lamp.txt session.txt")
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(
      result.output == """
        made lamp/lamp.yaml of output of gatttool
        known: 2 services, 2 characteristics, 2 descriptors, 2 values
          Whether a UUID is declared in 16 or in 128 bits is not known: blemu uses 16 where possible.
          Secondary services are not known: all are primary.
          Included services are not known.
          The security that an attribute requires is not known.
          The advertisement is not known.
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
    let command = "blemu import server.xml --name led -o new"
    #expect(shell.run(command).status == 0)
    #expect(shell.run("blemu check --on exact new/led.yaml").status == 0)
    #expect(shell.run(command).status == 73)
    #expect(shell.run("blemu import server.xml --name '1 2'").status == 64)
  }

  @Test func `a configuration of nRF Connect names its device`() {
    let result = shell.run("blemu import server.xml")
    #expect(
      result.output.hasPrefix("made desk-lamp/desk-lamp.yaml of a server configuration of nRF Connect\n"),
      "\(result)")
    #expect(shell.run("blemu check --on exact desk-lamp").status == 0)
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

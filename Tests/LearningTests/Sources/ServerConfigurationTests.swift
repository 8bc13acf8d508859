import Learning
import Testing

@Suite struct ServerConfigurationTests {
  @Test func `a server configuration has no handles`() throws {
    let listing = try #require(
      try listing(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- exported -->
        <server-configuration name="Lamp &amp; more">
          <service name="Serial" uuid="0000ffe0-0000-1000-8000-00805f9b34fb">
            <characteristic name="Data" uuid="0000ffe1-0000-1000-8000-00805f9b34fb" value="0102">
              <descriptor uuid="00002902-0000-1000-8000-00805f9b34fb" value="0000"><permission name="READ"/></descriptor>
              <permission name="READ_ENCRYPTED"/>
              <property name="READ"/>
              <property name="WRITE_NO_RESPONSE"/>
              <property name='NOTIFY' />
            </characteristic>
          </service>
        </server-configuration>
        """
      ).first)
    #expect(listing.name == "Lamp & more")
    #expect(!listing.hasHandles)
    #expect(
      lines(listing.table) == [
        "?..? FFE0",
        "  ? (?) FFE1 [\"read\", \"write-without-response\", \"notify\"] refused insufficient-encryption 01 02",
        "    ? 2902 00 00",
      ])
  }

  @Test func `a damaged one is refused with the place`() {
    let begin = "<server-configuration name=\"A\">\n"
    #expect(mistake(begin) == "file1:1:1 '<server-configuration>' is never closed")
    #expect(
      mistake(begin + " <service uuid=\"zz\"/></server-configuration>") == "file1:2:2 'zz' is not a UUID")
    #expect(
      mistake(begin + " <service uuid=\"z\u{1B}[2J\u{202E}\"/></server-configuration>")
        == "file1:2:2 'z\\x1B[2J\\u{202E}' is not a UUID")
    #expect(mistake(begin + " <service/></server-configuration>") == "file1:2:2 '<service>' has no uuid")
    #expect(
      mistake(begin + "</service>") == "file1:2:1 '</service>' closes '<server-configuration>' of line 1")
    #expect(mistake(begin + "<service uuid=1800/>") == "file1:2:15 the value of 'uuid' has no quotes")
    #expect(mistake(begin + "</server-configuration>") == "file1:1:1 the configuration has no services")
    #expect(mistake("<macro name=\"A\"/>") == "file1 a macro does not list attributes")
    #expect(
      mistake("<svg/>") == "file1:1:1 '<svg>' is not a server configuration of nRF Connect")
    #expect(mistake("<!-- nothing -->") == "file1 there is no element")
    #expect(
      mistake(String(repeating: "<service uuid=\"1800\">", count: 2))
        == "file1:1:22 '<service>' is never closed")
  }

  @Test func `another file is refused, and a recording is named`() {
    #expect(mistake("") == "file1 the file is empty")
    #expect(mistake("{ \"a\": 1 }") == "file1 blemu does not know this format")
    #expect(mistake("[ { \"uuid\": \"1800\" } ]") == "file1 blemu does not know this format")
    #expect(mistake("hello") == "file1 blemu does not know this format")
    #expect(mistake("btsnoop\0\0\0\0\u{1}") == "file1 this is a recording (btsnoop)")
    let service = "<service uuid=\"1800\"/>"
    #expect(
      mistake(service, service)
        == "file2 the attributes are already known from a server configuration of nRF Connect")
  }
}

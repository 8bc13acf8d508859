import Bluetooth
import Framing
import Peripheral
import Testing

@testable import TrafficView
import Behavior

@Suite struct TextFormatTests {
  @Test func `a device may have no services, and an address of its own`() {
    var onAir = SampleTraffic.onAir
    onAir.packets = AdvertisingPackets(advertisingFields: [.flags(0x04)], scanResponseFields: [])
    onAir.services = []
    onAir.ownAddress = DeviceAddress("C0:00:5E:00:53:01").map { SetAddress($0) }
    #expect(
      Self.text(.onAir(onAir)).hasPrefix(
        """
        HM-10 as "HMSoft" on hci0 (C0:00:5E:00:53:01, random), BlueZ 5.66
        on the air: advertises 3 of 31 bytes; serves no service

        """))
    let json = JSONFormat().text(for: .onAir(onAir), at: SampleTraffic.time)
    #expect(json.contains(#""address":"C0:00:5E:00:53:01","address-type":"random""#))
  }

  @Test func `a transport without packets shows no size`() {
    var onAir = SampleTraffic.onAir
    onAir.packets = nil
    let text = TextFormat().text(for: .onAir(onAir), at: SampleTraffic.time)
    #expect(text.contains("\non the air: serves FFE0, 180F\n"))
    #expect(!JSONFormat().text(for: .onAir(onAir), at: SampleTraffic.time).contains("advertising-data"))
  }

  @Test func `each line of one of several devices begins with its name`() {
    let several = SampleTraffic.text(NamedFormat("scale", width: 7)).split(separator: "\n")
    let single = SampleTraffic.text(TextFormat()).split(separator: "\n")
    #expect(several == single.map { "scale    \($0)" })
    let colored = SampleTraffic.text(NamedFormat("scale", width: 5, .none, TextStyle(hasColors: true)))
    #expect(colored.hasPrefix("\u{1B}[1mscale\u{1B}[0m  HM-10 as"))
  }

  @Test func `every kind of event has its text form`() {
    #expect(
      SampleTraffic.text(TextFormat()) == #"""
        HM-10 as "HMSoft" on hci0 (00:1A:7D:DA:71:13), BlueZ 5.66
        on the air: advertises FFE0 in 7 of 31 bytes, and the name in the scan response; serves FFE0, 180F
        wire side: hm10 -> /dev/pts/5
        11:01:03.221  + 4C:32:75:0A:11:9E connected
        11:01:03.221  + 4C:32:75:0A:11:9E connected (random address, interval 48.75 ms, latency 4, timeout 420 ms)
        11:01:03.221  + 4C:32:75:0A:11:9E connected (public address)
        11:01:03.221    4C:32:75:0A:11:9E: LE 1M, RSSI -58 dBm
        11:01:03.221    4C:32:75:0A:11:9E: LE 2M out, LE Coded in
        11:01:03.221    4C:32:75:0A:11:9E: interval 48.75 ms, latency 4, timeout 420 ms
        11:01:03.221    4C:32:75:0A:11:9E: packets of up to 251 bytes out, 27 in
        11:01:03.221    4C:32:75:0A:11:9E subscribed to FFE1
        11:01:03.221    a central subscribed to serial
        11:01:03.221  ? FFE1  48 65 6C 6C 6F 0D 0A  Hello\r\n
        11:01:03.221  ? FFE1  (refused: Invalid Offset (0x07))
        11:01:03.221  > FFE1  48 65 6C 6C 6F 0D 0A  Hello\r\n
        11:01:03.221  > FFE1  A5  (refused: Write Not Permitted (0x03))
        11:01:03.221  > FFE1/2901  (empty)
        11:01:03.221  < FFE1  4F 4B  OK
        11:01:03.221  < FFE1  00 FF  (indicated)
        11:01:03.221  ] wire  41 54  AT
        11:01:03.221  [ wire  5C 22  \\"
        11:01:03.221  = wire  41  A
        11:01:03.221  = serial  42  B
        11:01:03.221    wire side: 127.0.0.1:51234 connected
        11:01:03.221    wire side: opened
        11:01:03.221    wire side: 127.0.0.1:51234 disconnected
        11:01:03.221    wire side: closed
        11:01:03.221    wire side: 127.0.0.1:51236 refused; another peer is connected
        11:01:03.221    wire side: 9600 baud
        11:01:03.221    wire side: robot started as process 4711
        11:01:03.221    robot: \x1B[2Jno "wheel"
        11:01:03.221    wire side: robot exited with status 3; restarting in 1.6 s
        11:01:03.221    wire side: robot was terminated by signal 9
        11:01:03.221  ^ send serial 81 02 (turned)
        11:01:03.221  ^ send wire ""
        11:01:03.221  ^ send FFE1 81 to 4C:32:75:0A:11:9E
        11:01:03.221    serial  41 42  AB  (ask, sent)
        11:01:03.221  ~ serial  41 42  AB  (corrupt 1 bit out)
        11:01:03.221  < serial  41 52  AR
        11:01:03.221  > serial  41  A
        11:01:03.221    serial  51  Q  (received, refused: Write Not Permitted (0x03))
        11:01:03.221    wire  41  A  (sent)
        11:01:03.221    wire  41  A  (received)
        11:01:03.221    stream  41  A  (sent)
        11:01:03.221    stream  41  A  (received)
        11:01:03.221  = serial  42  B
        11:01:03.221  ~ serial  41  A  (drop in)
        11:01:03.221  ~ stop advertising
        11:01:03.221  ~ serial  41  A  (refuse 0x80)
        11:01:03.221  * größer "A"\n\x1B[2J
        11:01:03.221  ! serial  A5 06  (not a frame: checksum is A4, should be A3)
        11:01:03.221  ! the output is not read
        11:01:03.221  ! error: BlueZ has refused
        11:01:03.221    4C:32:75:0A:11:9E unsubscribed from FFE1
        11:01:03.221    a central unsubscribed from FFE1
        11:01:03.221    4C:32:75:0A:11:9E opened stream
        11:01:03.221  > stream  41 54  AT
        11:01:03.221  < stream  4F 4B  OK  (ok)
        11:01:03.221    4C:32:75:0A:11:9E closed stream
        11:01:03.221    stream closed for 4C:32:75:0A:11:9E (with the link)
        11:01:03.221    4C:32:75:0A:11:9E has time, news, and lacks control
        11:01:03.221    4C:32:75:0A:11:9E has nothing that the device looks for
        11:01:03.221  > time  41 54  AT
        11:01:03.221  > time  41  A  (read)
        11:01:03.221  < control  4F 4B  OK  (ok)
        11:01:03.221  - 4C:32:75:0A:11:9E disconnected
        11:01:03.221  - 4C:32:75:0A:11:9E disconnected
        11:01:03.221  - 4C:32:75:0A:11:9E disconnected (supervision timeout)
        11:01:03.221  - 4C:32:75:0A:11:9E disconnected (by this side)
        11:01:03.221  - 4C:32:75:0A:11:9E disconnected (HCI error 0x2E)
        off the air after 2 min 4 s: 1 central, 318 values in, 402 out, 3 lost; adapter restored
        off the air after 0 s: 0 centrals, 1 value in, 1 out, 1 lost
        off the air after 2 min 4 s: bluetoothd has stopped (1 central, 318 values in, 402 out, 3 lost)

        """#)
  }

  static func text(_ event: TrafficEvent.Kind) -> String {
    TextFormat().text(for: event, at: SampleTraffic.time)
  }

  @Test func `a message that a rule sends by its name is shown with it`() {
    #expect(
      Self.text(.notify("FFE1", [0x41], message: "day-total")) == "11:01:03.221  < FFE1  41  A  (day-total)\n"
    )
    #expect(
      Self.text(.indicate("FFE1", [0x41], message: "day-total"))
        == "11:01:03.221  < FFE1  41  A  (day-total, indicated)\n")
    #expect(
      Self.text(.wireOut([0x41], message: "start")) == "11:01:03.221  [ wire  41  A  (start)\n")
    let json = JSONFormat().text(for: .notify("FFE1", [0x41], message: "day-total"), at: SampleTraffic.time)
    #expect(json.contains("\"message\":\"day-total\""))
  }

  @Test(
    arguments: [
      (.write(nil, "FFE1", [0x41, 0x54], .command, refused: nil), "> FFE1  41 54  AT  (at)"),
      (
        .write(nil, "FFE1", [0x41], nil, refused: .writeNotPermitted),
        "> FFE1  41  A  (one, refused: Write Not Permitted (0x03))"
      ),
      (.channelIn(SampleTraffic.central, "stream", [0x41]), "> stream  41  A  (one)"),
      (.plain("serial", [0x41], isSent: false), "= serial  41  A  (one)"),
      (.wireIn([0x41]), "] wire  41  A  (one)"),
      (.notify("FFE1", [0x41]), "< FFE1  41  A  (one)"),
      (.indicate("FFE1", [0x41, 0x54]), "< FFE1  41 54  AT  (at, indicated)"),
      (.notify("FFE1", [0x41], message: "at"), "< FFE1  41  A  (at)"),
      (.oneSided(.device, .write(nil, "FFE1", [0x41], nil, refused: nil)), "  FFE1  41  A  (one, received)"),
      (.read(nil, "FFE1", [0x41], refused: nil), "? FFE1  41  A"),
      (.notify("FFE1", [0xA5, 0x00]), "< FFE1  A5 00"),
    ] as [(TrafficEvent.Kind, String)])
  func `bytes are shown with the message that they are`(event: TrafficEvent.Kind, line: String) {
    let text = TextFormat(SampleTraffic.messages, hasTime: false).text(for: event, at: SampleTraffic.time)
    #expect(text == line + "\n")
  }

  @Test func `a long value that is no text has no column of text`() {
    let bytes = [UInt8](repeating: 0x41, count: 20) + [0x00]
    #expect(
      Self.text(.notify("FFE1", bytes, message: "long")) == """
        11:01:03.221  < FFE1  41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41
        11:01:03.221          00  (long)

        """)
  }

  @Test func `a long value is shown in rows of 20 bytes`() {
    let bytes = (0x30..<0x5A).map { UInt8($0) }
    #expect(
      Self.text(.notify("FFE1", bytes)) == #"""
        11:01:03.221  < FFE1  30 31 32 33 34 35 36 37 38 39 3A 3B 3C 3D 3E 3F 40 41 42 43  0123456789:;<=>?@ABC
        11:01:03.221          44 45 46 47 48 49 4A 4B 4C 4D 4E 4F 50 51 52 53 54 55 56 57  DEFGHIJKLMNOPQRSTUVW
        11:01:03.221          58 59                                                        XY

        """#)
    #expect(
      Self.text(.write(nil, "FFE1", Array(bytes.prefix(21)), .request, refused: .invalidOffset)) == #"""
        11:01:03.221  > FFE1  30 31 32 33 34 35 36 37 38 39 3A 3B 3C 3D 3E 3F 40 41 42 43  0123456789:;<=>?@ABC
        11:01:03.221          44                                                           D  (refused: Invalid Offset (0x07))

        """#)
    #expect(
      Self.text(.notify("FFE1", Array(bytes.prefix(20)))) == #"""
        11:01:03.221  < FFE1  30 31 32 33 34 35 36 37 38 39 3A 3B 3C 3D 3E 3F 40 41 42 43  0123456789:;<=>?@ABC

        """#)
  }

  @Test(
    arguments: [
      (0, "0 s"), (59_999, "59 s"), (60_000, "1 min 0 s"), (124_500, "2 min 4 s"), (3_599_999, "59 min 59 s"),
      (3_600_000, "1 h 0 min"), (90_061_000, "25 h 1 min"),
    ])
  func `a duration has the unit for its size`(milliseconds: Int, text: String) {
    #expect(Duration.milliseconds(milliseconds).inWords == text)
  }

  @Test func `control characters of a name do not reach the terminal`() {
    var device = SampleTraffic.onAir
    device.name = "\u{1B}]0;evil\u{7}"
    device.wire = "/tmp/\u{9B}2J"
    let text = Self.text(.onAir(device))
    #expect(text.hasPrefix(#"HM-10 as "\x1B]0;evil\x07" on hci0"#))
    #expect(text.hasSuffix("wire side: /tmp/\\x9B2J\n"))
    #expect(
      Self.text(.warning("\u{202E}a\n", attribute: "FFE1", [0x41]))
        == "11:01:03.221  ! FFE1  41  A  (\\u{202E}a\\n)\n")
  }

  @Test func `a terminal shows only the marks in colours`() {
    let format = TextFormat(.none, TextStyle(hasColors: true))
    let events: [TrafficEvent.Kind] = [
      .write(nil, "FFE1", [0x41], .request, refused: nil), .notify("FFE1", [0x42]), .log("hi"),
    ]
    #expect(
      events.map { format.text(for: $0, at: SampleTraffic.time) } == [
        "11:01:03.221  \u{1B}[36m>\u{1B}[0m FFE1  41  A\n",
        "11:01:03.221  \u{1B}[32m<\u{1B}[0m FFE1  42  B\n", "11:01:03.221  \u{1B}[1m*\u{1B}[0m hi\n",
      ])
    #expect(format.text(for: .subscribed(nil, "FFE1"), at: SampleTraffic.time).utf8.allSatisfy { $0 != 0x1B })
  }

  @Test func `a line reports the dropped lines`() {
    #expect(
      TextFormat().text(for: TextFormat().dropped(17), at: SampleTraffic.time)
        == "11:01:03.221  ! blemu dropped 17 lines here, because nothing read its output\n")
  }
}

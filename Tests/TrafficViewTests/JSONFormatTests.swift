import Foundation
import Peripheral
import Testing

@testable import TrafficView
import Behavior

@Suite struct JSONFormatTests {
  @Test func `one of several devices has a name`() {
    let text = JSONFormat(device: "scale \"1\"").text(for: .log("hello"), at: SampleTraffic.time)
    #expect(
      text == #"{"time":"2026-03-01T11:01:03.221Z","device":"scale \"1\"","event":"log","message":"hello"}"#
        + "\n")
  }

  @Test func `every kind of event has its JSON form`() {
    #expect(
      SampleTraffic.text(JSONFormat()) == #"""
        {"time":"2026-03-01T11:01:03.221Z","event":"on-air","definition":"HM-10","name":"HMSoft","adapter":"hci0","address":"00:1A:7D:DA:71:13","stack":"BlueZ 5.66","services":"FFE0 180F","advertising-data":"03 03 E0 FF 02 01 06","scan-response":"07 09 48 4D 53 6F 66 74","wire":"hm10 -> /dev/pts/5"}
        {"time":"2026-03-01T11:01:03.221Z","event":"connected","central":"4C:32:75:0A:11:9E"}
        {"time":"2026-03-01T11:01:03.221Z","event":"connected","central":"4C:32:75:0A:11:9E","address-type":"random","interval-milliseconds":48.75,"latency":4,"timeout-milliseconds":420}
        {"time":"2026-03-01T11:01:03.221Z","event":"connected","central":"4C:32:75:0A:11:9E","address-type":"public"}
        {"time":"2026-03-01T11:01:03.221Z","event":"link","central":"4C:32:75:0A:11:9E","tx-phy":"LE 1M","rx-phy":"LE 1M","rssi":-58}
        {"time":"2026-03-01T11:01:03.221Z","event":"link","central":"4C:32:75:0A:11:9E","tx-phy":"LE 2M","rx-phy":"LE Coded"}
        {"time":"2026-03-01T11:01:03.221Z","event":"link","central":"4C:32:75:0A:11:9E","interval-milliseconds":48.75,"latency":4,"timeout-milliseconds":420}
        {"time":"2026-03-01T11:01:03.221Z","event":"link","central":"4C:32:75:0A:11:9E","tx-octets":251,"rx-octets":27}
        {"time":"2026-03-01T11:01:03.221Z","event":"subscribed","central":"4C:32:75:0A:11:9E","attribute":"FFE1"}
        {"time":"2026-03-01T11:01:03.221Z","event":"subscribed","attribute":"serial"}
        {"time":"2026-03-01T11:01:03.221Z","event":"read","central":"4C:32:75:0A:11:9E","attribute":"FFE1","value":"48 65 6C 6C 6F 0D 0A","text":"Hello\\r\\n"}
        {"time":"2026-03-01T11:01:03.221Z","event":"read","attribute":"FFE1","value":"","text":"","refused":"Invalid Offset (0x07)"}
        {"time":"2026-03-01T11:01:03.221Z","event":"write","central":"4C:32:75:0A:11:9E","attribute":"FFE1","value":"48 65 6C 6C 6F 0D 0A","text":"Hello\\r\\n","kind":"command"}
        {"time":"2026-03-01T11:01:03.221Z","event":"write","attribute":"FFE1","value":"A5","text":"\\xA5","kind":"request","refused":"Write Not Permitted (0x03)"}
        {"time":"2026-03-01T11:01:03.221Z","event":"write","central":"4C:32:75:0A:11:9E","attribute":"FFE1/2901","value":"","text":"","kind":"reliable"}
        {"time":"2026-03-01T11:01:03.221Z","event":"notify","attribute":"FFE1","value":"4F 4B","text":"OK"}
        {"time":"2026-03-01T11:01:03.221Z","event":"indicate","attribute":"FFE1","value":"00 FF","text":"\\x00\\xFF"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire-in","value":"41 54","text":"AT"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire-out","value":"5C 22","text":"\\\\\""}
        {"time":"2026-03-01T11:01:03.221Z","event":"plain","attribute":"wire","value":"41","text":"A","direction":"in"}
        {"time":"2026-03-01T11:01:03.221Z","event":"plain","attribute":"serial","value":"42","text":"B","direction":"out"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"opened","peer":"127.0.0.1:51234"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"opened"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"closed","peer":"127.0.0.1:51234"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"closed"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"refused","peer":"127.0.0.1:51236"}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"baud-rate","baud":9600}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"started","program":"robot","process":4711}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"said","program":"robot","message":"\u001B[2Jno \"wheel\""}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"ended","program":"robot","status":3,"restart-milliseconds":1600}
        {"time":"2026-03-01T11:01:03.221Z","event":"wire","change":"ended","program":"robot","signal":9}
        {"time":"2026-03-01T11:01:03.221Z","event":"control","command":"send serial 81 02","message":"turned"}
        {"time":"2026-03-01T11:01:03.221Z","event":"control","command":"send wire \"\""}
        {"time":"2026-03-01T11:01:03.221Z","event":"control","command":"send FFE1 81 to 4C:32:75:0A:11:9E"}
        {"time":"2026-03-01T11:01:03.221Z","event":"sent","attribute":"serial","value":"41 42","text":"AB","message":"ask"}
        {"time":"2026-03-01T11:01:03.221Z","event":"fault","fault":"corrupt 1 bit out","fault-number":1,"ordinal":4,"attribute":"serial","direction":"out","value":"41 42","text":"AB","became":"41 52"}
        {"time":"2026-03-01T11:01:03.221Z","event":"notify","attribute":"serial","value":"41 52","text":"AR"}
        {"time":"2026-03-01T11:01:03.221Z","event":"write","central":"4C:32:75:0A:11:9E","attribute":"serial","value":"41","text":"A","kind":"request"}
        {"time":"2026-03-01T11:01:03.221Z","event":"received","central":"4C:32:75:0A:11:9E","attribute":"serial","value":"51","text":"Q","kind":"request","refused":"Write Not Permitted (0x03)"}
        {"time":"2026-03-01T11:01:03.221Z","event":"sent","attribute":"wire","value":"41","text":"A"}
        {"time":"2026-03-01T11:01:03.221Z","event":"received","attribute":"wire","value":"41","text":"A"}
        {"time":"2026-03-01T11:01:03.221Z","event":"sent","attribute":"stream","value":"41","text":"A"}
        {"time":"2026-03-01T11:01:03.221Z","event":"received","central":"4C:32:75:0A:11:9E","attribute":"stream","value":"41","text":"A"}
        {"time":"2026-03-01T11:01:03.221Z","event":"plain","attribute":"serial","value":"42","text":"B","direction":"out"}
        {"time":"2026-03-01T11:01:03.221Z","event":"fault","fault":"drop in","fault-number":2,"ordinal":5,"central":"4C:32:75:0A:11:9E","attribute":"serial","direction":"in","value":"41","text":"A","became":""}
        {"time":"2026-03-01T11:01:03.221Z","event":"fault","fault":"stop advertising","fault-number":3,"ordinal":1}
        {"time":"2026-03-01T11:01:03.221Z","event":"fault","fault":"refuse 0x80","fault-number":4,"ordinal":1,"attribute":"serial","direction":"in","value":"41","text":"A","refused":"Write Not Permitted (0x03)"}
        {"time":"2026-03-01T11:01:03.221Z","event":"log","message":"größer \"A\"\n\u001B[2J"}
        {"time":"2026-03-01T11:01:03.221Z","event":"warning","attribute":"serial","value":"A5 06","text":"\\xA5\\x06","message":"not a frame: checksum is A4, should be A3"}
        {"time":"2026-03-01T11:01:03.221Z","event":"warning","message":"the output is not read"}
        {"time":"2026-03-01T11:01:03.221Z","event":"error","message":"BlueZ has refused"}
        {"time":"2026-03-01T11:01:03.221Z","event":"unsubscribed","central":"4C:32:75:0A:11:9E","attribute":"FFE1"}
        {"time":"2026-03-01T11:01:03.221Z","event":"unsubscribed","attribute":"FFE1"}
        {"time":"2026-03-01T11:01:03.221Z","event":"opened","central":"4C:32:75:0A:11:9E","attribute":"stream"}
        {"time":"2026-03-01T11:01:03.221Z","event":"channel-in","central":"4C:32:75:0A:11:9E","attribute":"stream","value":"41 54","text":"AT"}
        {"time":"2026-03-01T11:01:03.221Z","event":"channel-out","attribute":"stream","value":"4F 4B","text":"OK","message":"ok"}
        {"time":"2026-03-01T11:01:03.221Z","event":"closed","central":"4C:32:75:0A:11:9E","attribute":"stream"}
        {"time":"2026-03-01T11:01:03.221Z","event":"closed","central":"4C:32:75:0A:11:9E","attribute":"stream","reason":"with the link"}
        {"time":"2026-03-01T11:01:03.221Z","event":"discovered","central":"4C:32:75:0A:11:9E","found":"time news","missing":"control"}
        {"time":"2026-03-01T11:01:03.221Z","event":"discovered","central":"4C:32:75:0A:11:9E","found":"","missing":"time"}
        {"time":"2026-03-01T11:01:03.221Z","event":"client-in","central":"4C:32:75:0A:11:9E","attribute":"time","value":"41 54","text":"AT","kind":"value"}
        {"time":"2026-03-01T11:01:03.221Z","event":"client-in","central":"4C:32:75:0A:11:9E","attribute":"time","value":"41","text":"A","kind":"read"}
        {"time":"2026-03-01T11:01:03.221Z","event":"client-out","central":"4C:32:75:0A:11:9E","attribute":"control","value":"4F 4B","text":"OK","message":"ok"}
        {"time":"2026-03-01T11:01:03.221Z","event":"disconnected","central":"4C:32:75:0A:11:9E"}
        {"time":"2026-03-01T11:01:03.221Z","event":"disconnected","central":"4C:32:75:0A:11:9E","reason":"remote-user-terminated","code":19}
        {"time":"2026-03-01T11:01:03.221Z","event":"disconnected","central":"4C:32:75:0A:11:9E","reason":"supervision-timeout","code":8}
        {"time":"2026-03-01T11:01:03.221Z","event":"disconnected","central":"4C:32:75:0A:11:9E","reason":"local-host","code":22}
        {"time":"2026-03-01T11:01:03.221Z","event":"disconnected","central":"4C:32:75:0A:11:9E","reason":"0x2E","code":46}
        {"time":"2026-03-01T11:01:03.221Z","event":"off-air","milliseconds":124500,"centrals":1,"values-in":318,"values-out":402,"values-lost":3}
        {"time":"2026-03-01T11:01:03.221Z","event":"off-air","milliseconds":0,"centrals":0,"values-in":1,"values-out":1,"values-lost":1}
        {"time":"2026-03-01T11:01:03.221Z","event":"off-air","reason":"bluetoothd has stopped","milliseconds":124500,"centrals":1,"values-in":318,"values-out":402,"values-lost":3}

        """#)
  }

  /// Parsed by Foundation.
  static func object(_ line: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test(arguments: SampleTraffic.events)
  func `an event is one line with one object`(event: TrafficEvent.Kind) throws {
    let line = JSONFormat().text(for: event, at: SampleTraffic.time)
    #expect(line.hasSuffix("}\n"))
    #expect(line.unicodeScalars.count { $0 == "\n" } == 1)
    let object = try Self.object(line)
    #expect(object["time"] as? String == "2026-03-01T11:01:03.221Z")
    #expect((object["event"] as? String)?.isEmpty == false)
  }

  @Test func `the hex of all 256 byte values is correct`() throws {
    let bytes = (0...255).map { UInt8($0) }
    let object = try Self.object(JSONFormat().text(for: .wireIn(bytes), at: SampleTraffic.time))
    let words = try #require(object["value"] as? String).split(separator: " ")
    #expect(words.map { UInt8($0, radix: 16) } == bytes)
  }

  @Test func `the fields of a message are members`() throws {
    let hello = TrafficEvent.Kind.write(nil, "FFE1", SampleTraffic.hello, .command, refused: nil)
    let line = JSONFormat(SampleTraffic.messages).text(for: hello, at: SampleTraffic.time)
    #expect(
      line.hasSuffix(
        #""kind":"command","message":"hello","fields":{"letter": 72, "end": "0D 0A"},"byte-fields":["end"]}"#
          + "\n"))
  }

  @Test func `every character of a string is kept`() throws {
    let scalars = (0..<0x2100).compactMap(Unicode.Scalar.init) + ["\u{1F600}", "\u{10FFFF}", "\u{FEFF}"]
    let text = String(String.UnicodeScalarView(scalars))
    var object = JSONObject(in: LineBuffer())
    object.set("text", text)
    object.set("number", Int.min)
    object.set("absent", String?.none)
    let line = object.end().text
    #expect(line.hasSuffix("}\n"))
    #expect(line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 })
    let parsed = try Self.object(line)
    #expect((parsed["text"] as? String)?.unicodeScalars.elementsEqual(scalars) == true)
    #expect(parsed["number"] as? Int == Int.min)
    #expect(parsed.count == 2)
  }

  @Test func `a line reports the dropped lines`() throws {
    let object = try Self.object(JSONFormat().text(for: JSONFormat().dropped(17), at: SampleTraffic.time))
    #expect(object["event"] as? String == "warning")
    #expect(object["message"] as? String == "blemu dropped 17 lines here, because nothing read its output")
  }
}

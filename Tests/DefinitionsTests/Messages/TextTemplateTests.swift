import TestSupport
import Testing

@testable import Definitions

@Suite struct TextTemplateTests {
  @Test(
    arguments: [
      // HM-10: commands without an end
      ("AT+NAME{name: text(1..12)}", "AT+NAMEHMSoft", "name=HMSoft"),
      ("OK+NAME:{name: text}", "OK+NAME:", "name="),
      ("OK+ADDR:{address: hexbytes(6)}", "OK+ADDR:508CB16A7CAB", "address=50 8C B1 6A 7C AB"),
      ("AT+BAUD{rate: dec(1)}", "AT+BAUD4", "rate=4"),
      ("OK+Get:0x{uuid: hex(4)}", "OK+Get:0xFFE0", "uuid=65504"),
      ("OK+RSSI:{rssi: dec(4)}", "OK+RSSI:-056", "rssi=-56"),
      // a sonar's reading; a Bluno's transmission power; a modem's number in hex
      ("R{inches: dec(3)}\r", "R006\r", "inches=6"), ("{power: dec(3)}\r\n", "-06\r\n", "power=-6"),
      ("ATID {id: hex}\r", "ATID 1111\r", "id=4369"),
      // a robot's speed; a command with and without its value
      ("<{speed: dec(1..3)}>", "<128>", "speed=128"),
      (
        "AT{command: text(1..12)}{maybe}={value: text}{end}\r\n", "AT+NAME=a=b\r\n", "command=+NAME value=a=b"
      ),
      ("AT{command: text(1..12)}{maybe}={value: text}{end}\r\n", "AT+ADDR\r\n", "command=+ADDR value=-"),
      ("{a: text},{b: dec},{c: hexbytes}", "x,-1,0A", "a=x b=-1 c=0A"),
      ("{repeat words}{word: text},{end}", "a,bc,,", "words=(a) (bc) ()"),
      ("{{{n: dec}}}", "{7}", "n=7"), ("größe {n: dec} ≤", "größe 3 ≤", "n=3"),
      ("{n: u8}{m: u16be}\n", "A01\n", "n=65 m=12337"),
    ])
  func `text, both ways`(template: String, text: String, values: String) throws {
    let message = try textMessage(template)
    let frame = Array(text.utf8)
    #expect(described(frame, by: message) == values)
    #expect(try message.build(#require(message.match(frame))) == frame)
  }

  @Test(
    arguments: [
      ("AT+NAME{name: text(1..12)}", "AT+NAME"), ("AT+NAME{name: text(1..12)}", "AT+NAME1234567890123"),
      ("AT+NAME{name: text(1..12)}", "at+nameA"), ("R{inches: dec(3)}\r", "R12\r"),
      ("R{inches: dec(3)}\r", "R123\n"),
      ("<{speed: dec(1..3)}>", "<>"), ("<{speed: dec(1..3)}>", "<012>"), ("AT", "AT\r\n"),
      ("{n: dec},{m: dec}", "1,"),
    ])
  func `another text is not this message`(template: String, text: String) throws {
    #expect(try textMessage(template).parse(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      ("AT+Name?", "at+nAME?", ""), ("AT+NAME{name: text}z", "at+nameHm-10Z", "name=Hm-10"),
      ("{a: text}Q{b: text}", "xqy", "a=x b=y"), ("É", "É", ""),
    ])
  func `letters in either case`(template: String, text: String, values: String) throws {
    let message = try textMessage(template, ignoringCase: true)
    #expect(described(Array(text.utf8), by: message) == values)
  }

  @Test(arguments: [("@", "`"), ("[", "{"), ("É", "é"), ("0", "P")])
  func `only letters of ASCII have another case`(template: String, text: String) throws {
    #expect(try textMessage(template, ignoringCase: true).parse(Array(text.utf8)) == nil)
  }

  @Test func `what ignores case is built as it is written`() throws {
    #expect(try textMessage("At+{n: dec}", ignoringCase: true).build([.integer(1)]) == Array("At+1".utf8))
  }
}

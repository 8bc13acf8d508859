import TestSupport
import Testing

@testable import Definitions

/// Frames of real devices, with what they say.
@Suite struct DeviceFrameTests {
  static let jbdCells =
    "DD 04 00 {size(cells): u8} {repeat cells} {millivolts: u16be} {end} {negative-sum16(2)} 77"
  /// Flags, the rate, its second byte where it is wide, the energy, the intervals.
  static let heartRate =
    "{bits(0: 3, rr: 1, energy: 1, contact: 2, wide: 1)} {rate: u8} {if wide}{high: u8}{end} "
    + "{if energy}{joules: u16le}{end} {if rr}{repeat intervals}{interval: u16le}{end}{end}"
  static let cadence =
    "{bits(0: 6, crank: 1, wheel: 1)} {if wheel}{revolutions: u32le}{time: u16le}{end} "
    + "{if crank}{turns: u16le}{crank-time: u16le}{end}"

  @Test(
    arguments: [
      // JBD: request, answers 03 and 04 with a two's complement of the sum, and a tail
      ("DD A5 {cmd: u8} 00 {negative-sum16(2)} 77", "DD A5 03 00 FF FD 77", "cmd=3"),
      (jbdCells, "DD 04 00 08 0C FD 0C FE 0C FF 0D 00 FC CD 77", "cells=(3325) (3326) (3327) (3328)"),
      (
        "DD {cmd: u8} {status: u8} {size(name): u8} {name: text} {negative-sum16(2)} 77",
        "DD 05 00 0C 4A 42 44 2D 53 50 30 34 53 30 32 30 FD 0B 77", "cmd=5 status=0 name=JBD-SP04S020"
      ),
      // Daly: CRC-16/MODBUS
      ("D2 03 {from: u16be} {count: u16be} {crc16-modbus}", "D2 03 00 3E 00 09 F7 A3", "from=62 count=9"),
      // Colmi: 16 bytes, filled up with zeros, a sum at the end; a date in BCD
      (
        "03 {level: u8} {charging: u8} {pad(15)} {sum8}", "03 40 00 00 00 00 00 00 00 00 00 00 00 00 00 43",
        "level=64 charging=0"
      ),
      (
        "01 {year: bcd} {month: bcd} {day: bcd} {hour: bcd} {minute: bcd} {second: bcd} {language: u8} {pad(15)} {sum8}",
        "01 24 01 01 00 00 00 01 00 00 00 00 00 00 00 28",
        "year=24 month=1 day=1 hour=0 minute=0 second=0 language=1"
      ),
      // Lefun: the length of all, CRC-8/MAXIM
      ("AB {size: u8} {cmd: u8} {args: bytes} {crc8-maxim}", "AB 05 0F 01 4E", "cmd=15 args=01"),
      ("AB {size: u8} {cmd: u8} {args: bytes} {crc8-maxim}", "AB 04 03 EE", "cmd=3 args="),
      (
        "5A {size: u8} 12 {day: u8} {date: bytes(3)} {steps: u32be} {metres: u32be} {calories: u32be} {crc8-maxim}",
        "5A 14 12 00 18 01 02 00 00 04 D2 00 00 03 84 00 00 C3 50 10",
        "day=0 date=18 01 02 steps=1234 metres=900 calories=50000"
      ),
      // Yunmai: 73.45 kg, 500 Ω, 18.50 %
      (
        "0D {version: u8} {size: u8} 02 00 {time: u32be} {user: u32be} {weight: u16be} {ohm: u16be} {fat: u16be} {xor8(1)}",
        "0D 1E 14 02 00 65 53 F1 00 00 00 00 01 1C B1 01 F4 07 3A AB",
        "version=30 time=1700000000 user=1 weight=7345 ohm=500 fat=1850"
      ),
      // Senssun: a sum over seven of the bytes, and one behind it
      (
        "A5 {cmd: u8} {bits(male: 4, id: 4)} {age: u8} {height: u8} 00 00 {sum8(1, 6)} 00",
        "A5 10 F1 1E B4 00 00 D3 00",
        "cmd=16 male=15 id=1 age=30 height=180"
      ),
      // QN: 73.45 kg, stable, two impedances
      (
        "10 {size: u8} 15 {weight: u16be} {stable: u8} {r1: u16be} {r2: u16be} {sum8}",
        "10 0B 15 1C B1 01 01 F4 01 F4 E8",
        "weight=7345 stable=1 r1=500 r2=500"
      ),
      // Inlife: XOR of all but the first, before a tail
      (
        "02 D8 {weight: u16be} {pad(12)} {xor8(1, 11)} AA", "02 D8 02 DF 00 00 00 00 00 00 00 00 05 AA",
        "weight=735"
      ),
      // Heart rate: 72 bpm and an interval; plain; wide with energy
      (
        heartRate, "16 48 66 03", "rr=1 energy=0 contact=3 wide=0 rate=72 high=- joules=- intervals=(870)"
      ),
      (heartRate, "00 48", "rr=0 energy=0 contact=0 wide=0 rate=72 high=- joules=- intervals=-"),
      (
        heartRate, "19 2C 01 0A 00 66 03 67 03",
        "rr=1 energy=1 contact=0 wide=1 rate=44 high=1 joules=10 intervals=(870) (871)"
      ),
      // Cycling speed and cadence: both, and the crank alone
      (
        cadence, "03 64 00 00 00 00 04 32 00 00 04",
        "crank=1 wheel=1 revolutions=100 time=1024 turns=50 crank-time=1024"
      ),
      (cadence, "02 32 00 00 04", "crank=1 wheel=0 revolutions=- time=- turns=50 crank-time=1024"),
      // A robot's remote: the last byte ends it wherever else it occurs
      (
        "{bits(0: 2, brake: 1, head: 1, far: 2, back: 2)} {steer: u8} {accel: u8} 3A", "0C 3A 7F 3A",
        "brake=0 head=0 far=3 back=0 steer=58 accel=127"
      ),
      // An iBeacon
      (
        "02 15 {uuid: bytes(16)} {major: u16be} {minor: u16be} {power: i8}",
        "02 15 74 27 8B DA B6 44 45 20 8F 0C 72 0E AF 05 99 35 FF E0 FF E1 C5",
        "uuid=74 27 8B DA B6 44 45 20 8F 0C 72 0E AF 05 99 35 major=65504 minor=65505 power=-59"
      ),
    ])
  func `a device's frame, both ways`(template: String, frame: String, values: String) throws {
    let message = try message(template)
    #expect(described(hex(frame), by: message) == values)
    guard let fields = message.match(hex(frame)) else { return }
    #expect(try message.build(fields) == hex(frame))
  }

  @Test(
    arguments: [
      // a wrong check, a length that is not the message's, a set bit where there is none
      (jbdCells, "DD 04 00 08 0C FD 0C FE 0C FF 0D 00 FC CE 77"),
      (jbdCells, "DD 04 00 06 0C FD 0C FE 0C FF 0D 00 FC CF 77"),
      ("AB {size: u8} {cmd: u8} {args: bytes} {crc8-maxim}", "AB 06 0F 01 4E"), (heartRate, "20 48"),
      (heartRate, "10 48 66"), (cadence, "03 64 00 00 00 00 04"),
    ])
  func `a frame that the device would not send`(template: String, frame: String) throws {
    #expect(described(hex(frame), by: try message(template)) == "another message")
  }
}

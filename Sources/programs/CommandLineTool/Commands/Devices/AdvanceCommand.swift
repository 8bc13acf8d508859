import BlemuControl
import BlemuJSON
import Definitions
import Framing

extension Command {
  static let advance = Command(
    "advance", .running, arguments: "NAME TIME", words: .devices,
    summary: "Advances the clock of a device in memory.",
    options: [.json],
    notes: [
      "TIME is a number with ms, s, min, h or d, at most a year. The device must run with --on loopback. Its timers fire in order, without waiting, and "
        + "each event in the journal has the time at which its timer was due. The command ends after all of them have fired. From then on, "
        + "the device's clock is ahead by TIME."
    ],
    examples: [Example("blemu advance hm-10 10min", "makes ten minutes pass at once")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let word = try command.first("TIME")
    try command.check(most: 1)
    guard let time = DurationText.parse(word), (1...ControlMethod.longestAdvance).contains(time) else {
      throw .badValue(
        option: "TIME", value: word, expected: "a number with ms, s, min, h or d, as in 10min; at most a year"
      )
    }
    return try command.act(.advance, ["by": .integer(time)], patience: nil)
  }
}

/// Fitness Machine. Speed in 0.01 km/h, distance in m, inclination in 0.1 %, ramp angle in 0.1 degrees, elevation gain in 0.1 m,
/// resistance in 0.1, cadence and strokes in 0.5 a minute, pace in s, power in W, energy in kcal, metabolic equivalent in 0.1,
/// times in s.
///
/// Bit 0 of the flags is 1 if the value continues in the next one; the fields that are always there are then absent. So each
/// machine has two messages.
extension StandardMessages {
  private static let energy =
    "{if has-energy} {kcal: u16le} {kcal-an-hour: u16le} {kcal-a-minute: u8} {end}"
  private static let ending = """
    \(energy) {if has-heart-rate} {heart-rate: u8} {end} {if has-equivalent} {equivalent: u8} {end} \
    {if has-time} {time: u16le} {end} {if has-remaining} {remaining: u16le} {end}
    """
  private static let endingFlags =
    "has-remaining: 1, has-time: 1, has-equivalent: 1, has-heart-rate: 1, has-energy: 1"
  private static let power =
    "{if has-power} {power: i16le} {end} {if has-average-power} {average-power: i16le} {end}"
  private static let distance = "{if has-distance} {distance: u24le} {end}"
  private static let slope = "{if has-inclination} {inclination: i16le} {angle: i16le} {end}"
  private static let gain = "{if has-gain} {up: u16le} {down: u16le} {end}"
  private static let steps =
    "{if has-steps} {steps-a-minute: u16le} {end} {if has-average-steps} {average-steps: u16le} {end}"

  /// - Parameters:
  ///   - flags: the bits above bit 0, from the most significant down.
  ///   - first: the fields that bit 0 leaves out.
  private static func machine(
    _ uuid: UInt32, _ name: String, flags: String, first: String, _ rest: String
  ) -> [StandardMessage] {
    [
      .init(.init(uuid), name, .fromDevice, "{bitsle(\(flags), 0: 1)} \(first) \(rest)"),
      .init(.init(uuid), "\(name)-begins", .fromDevice, "{bitsle(\(flags), 1: 1)} \(rest)"),
    ]
  }

  static let machines =
    machine(
      0x2ACD, "treadmill",
      flags: """
        0: 3, has-force: 1, \(endingFlags), has-average-pace: 1, has-pace: 1, has-gain: 1, has-inclination: 1, \
        has-distance: 1, has-average-speed: 1
        """,
      first: "{speed: u16le}",
      """
      {if has-average-speed} {average-speed: u16le} {end} \(distance) \(slope) \(gain) {if has-pace} {pace: u16le} {end} \
      {if has-average-pace} {average-pace: u16le} {end} \(ending) {if has-force} {force: i16le} {power: i16le} {end}
      """)
    + machine(
      0x2ACE, "cross-trainer",
      flags: """
        0: 8, backward: 1, \(endingFlags), has-average-power: 1, has-power: 1, has-resistance: 1, has-inclination: 1, \
        has-gain: 1, has-strides: 1, has-steps: 1, has-distance: 1, has-average-speed: 1
        """,
      first: "{speed: u16le}",
      """
      {if has-average-speed} {average-speed: u16le} {end} \(distance) \
      {if has-steps} {steps-a-minute: u16le} {average-steps: u16le} {end} {if has-strides} {strides: u16le} {end} \
      \(gain) \(slope) {if has-resistance} {resistance: i16le} {end} \(power) \(ending)
      """)
    + machine(
      0x2ACF, "step-climber",
      flags: "0: 7, \(endingFlags), has-gain: 1, has-average-steps: 1, has-steps: 1",
      first: "{floors: u16le} {step-count: u16le}",
      "\(steps) {if has-gain} {up: u16le} {end} \(ending)")
    + machine(
      0x2AD0, "stair-climber",
      flags: "0: 6, \(endingFlags), has-strides: 1, has-gain: 1, has-average-steps: 1, has-steps: 1",
      first: "{floors: u16le}",
      "\(steps) {if has-gain} {up: u16le} {end} {if has-strides} {strides: u16le} {end} \(ending)")
    + machine(
      0x2AD1, "rower",
      flags: """
        0: 3, \(endingFlags), has-resistance: 1, has-average-power: 1, has-power: 1, has-average-pace: 1, has-pace: 1, \
        has-distance: 1, has-average-rate: 1
        """,
      first: "{rate: u8} {strokes: u16le}",
      """
      {if has-average-rate} {average-rate: u8} {end} \(distance) {if has-pace} {pace: u16le} {end} \
      {if has-average-pace} {average-pace: u16le} {end} \(power) {if has-resistance} {resistance: i16le} {end} \(ending)
      """)
    + machine(
      0x2AD2, "bike",
      flags: """
        0: 3, \(endingFlags), has-average-power: 1, has-power: 1, has-resistance: 1, has-distance: 1, \
        has-average-cadence: 1, has-cadence: 1, has-average-speed: 1
        """,
      first: "{speed: u16le}",
      """
      {if has-average-speed} {average-speed: u16le} {end} {if has-cadence} {cadence: u16le} {end} \
      {if has-average-cadence} {average-cadence: u16le} {end} \(distance) {if has-resistance} {resistance: i16le} {end} \
      \(power) \(ending)
      """)
}

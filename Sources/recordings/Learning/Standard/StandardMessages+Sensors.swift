extension StandardMessages {
  /// Heart Rate, Running Speed and Cadence, Cycling Speed and Cadence, Cycling Power.
  static let sensors: [StandardMessage] = [
    // Contact: 2 not worn, 3 worn. Energy in kJ. Intervals (RR) in 1/1024 s, two bytes each.
    .init(
      0x2A37, "heart-rate", .fromDevice,
      """
      {bits(0: 3, has-intervals: 1, has-energy: 1, contact: 2, is-wide: 1)} {rate-low: u8} \
      {if is-wide} {rate-high: u8} {end} {if has-energy} {energy: u16le} {end} {if has-intervals} {intervals: bytes} {end}
      """),
    .init(0x2A38, "body-sensor-location", .fromDevice, "{location: u8}"),
    .init(0x2A39, "reset-energy", .fromCentral, "01"),
    // Speed in 1/256 m/s, steps a minute, the stride in cm, distance in 0.1 m.
    .init(
      0x2A53, "run", .fromDevice,
      """
      {bits(0: 5, running: 1, has-distance: 1, has-stride: 1)} {speed: u16le} {steps: u8} \
      {if has-stride} {stride: u16le} {end} {if has-distance} {distance: u32le} {end}
      """),
    .init(0x2A54, "running-features", .fromDevice, "{features: u16le}"),
    // Revolutions since the start, and when the last one was complete, in 1/1024 s.
    .init(
      0x2A5B, "cycling", .fromDevice,
      """
      {bits(0: 6, has-crank: 1, has-wheel: 1)} \
      {if has-wheel} {wheel-revolutions: u32le} {wheel-time: u16le} {end} \
      {if has-crank} {crank-revolutions: u16le} {crank-time: u16le} {end}
      """),
    .init(0x2A5C, "cycling-features", .fromDevice, "{features: u16le}"),
    .init(0x2A5D, "sensor-location", .fromDevice, "{location: u8}"),
    // Power in W, the pedal's share in 0.5 %, torque in 1/32 Nm, times in 1/2048 s (wheel) and 1/1024 s (crank), forces in
    // N, angles in degrees (12 bits each), energy in kJ.
    .init(
      0x2A63, "power", .fromDevice,
      """
      {bitsle(0: 3, is-compensated: 1, has-energy: 1, has-bottom: 1, has-top: 1, has-angles: 1, has-torques: 1, \
      has-forces: 1, has-crank: 1, has-wheel: 1, from-crank: 1, has-torque: 1, of-left: 1, has-balance: 1)} {watts: i16le} \
      {if has-balance} {share: u8} {end} {if has-torque} {torque: u16le} {end} \
      {if has-wheel} {wheel-revolutions: u32le} {wheel-time: u16le} {end} \
      {if has-crank} {crank-revolutions: u16le} {crank-time: u16le} {end} \
      {if has-forces} {greatest-force: i16le} {least-force: i16le} {end} \
      {if has-torques} {greatest-torque: i16le} {least-torque: i16le} {end} \
      {if has-angles} {angles: bytes(3)} {end} {if has-top} {top: u16le} {end} {if has-bottom} {bottom: u16le} {end} \
      {if has-energy} {energy: u16le} {end}
      """),
    .init(0x2A65, "power-features", .fromDevice, "{features: u32le}"),

    // SC Control Point.
    .init(0x2A55, "set-cumulative-value", .fromCentral, "01 {value: u32le}"),
    .init(0x2A55, "start-sensor-calibration", .fromCentral, "02"),
    .init(0x2A55, "set-sensor-location", .fromCentral, "03 {location: u8}"),
    .init(0x2A55, "list-sensor-locations", .fromCentral, "04"),
    // 1 success, 2 not supported, 3 invalid parameter, 4 failed.
    .init(0x2A55, "sensor-answer", .fromDevice, "10 {op: u8} {result: u8} {parameter: bytes}"),

    // Cycling Power Control Point: lengths in mm, of the crank in 0.5 mm.
    .init(0x2A66, "set-cumulative-revolutions", .fromCentral, "01 {revolutions: u32le}"),
    .init(0x2A66, "set-power-location", .fromCentral, "02 {location: u8}"),
    .init(0x2A66, "list-power-locations", .fromCentral, "03"),
    .init(0x2A66, "set-crank-length", .fromCentral, "04 {length: u16le}"),
    .init(0x2A66, "get-crank-length", .fromCentral, "05"),
    .init(0x2A66, "set-chain-length", .fromCentral, "06 {length: u16le}"),
    .init(0x2A66, "get-chain-length", .fromCentral, "07"),
    .init(0x2A66, "set-chain-weight", .fromCentral, "08 {weight: u16le}"),
    .init(0x2A66, "get-chain-weight", .fromCentral, "09"),
    .init(0x2A66, "set-span", .fromCentral, "0A {length: u16le}"),
    .init(0x2A66, "get-span", .fromCentral, "0B"),
    .init(0x2A66, "start-offset-compensation", .fromCentral, "0C"),
    .init(0x2A66, "mask-power", .fromCentral, "0D {mask: u16le}"),
    .init(0x2A66, "get-sampling-rate", .fromCentral, "0E"),
    .init(0x2A66, "get-calibration-date", .fromCentral, "0F"),
    .init(0x2A66, "start-enhanced-compensation", .fromCentral, "10"),
    .init(0x2A66, "power-answer", .fromDevice, "20 {op: u8} {result: u8} {parameter: bytes}"),
  ]
}

extension StandardMessages {
  /// Fitness Machine: features, ranges, the control point and what it reports. Units as for ``machines``.
  static let machineControl: [StandardMessage] = [
    .init(0x2ACC, "machine-features", .fromDevice, "{features: u32le} {targets: u32le}"),
    // 1 idle, 2 warm-up, 0D manual mode, 0E before the workout, 0F after it, …
    .init(
      0x2AD3, "training-status", .fromDevice,
      "{bits(0: 6, is-cut: 1, has-label: 1)} {training: u8} {if has-label} {label: text} {end}"),
    .init(0x2AD4, "speed-range", .fromDevice, "{least: u16le} {greatest: u16le} {step: u16le}"),
    .init(0x2AD5, "inclination-range", .fromDevice, "{least: i16le} {greatest: i16le} {step: u16le}"),
    .init(0x2AD6, "resistance-range", .fromDevice, "{least: i16le} {greatest: i16le} {step: u16le}"),
    .init(0x2AD7, "heart-rate-range", .fromDevice, "{least: u8} {greatest: u8} {step: u8}"),
    .init(0x2AD8, "power-range", .fromDevice, "{least: i16le} {greatest: i16le} {step: u16le}"),

    .init(0x2AD9, "request-control", .fromCentral, "00"),
    .init(0x2AD9, "reset-machine", .fromCentral, "01"),
    .init(0x2AD9, "set-speed", .fromCentral, "02 {target: u16le}"),
    .init(0x2AD9, "set-inclination", .fromCentral, "03 {target: i16le}"),
    // One byte, or two since version 1.0.1 of the service.
    .init(0x2AD9, "set-resistance", .fromCentral, "04 {level: bytes(1..2)}"),
    .init(0x2AD9, "set-power", .fromCentral, "05 {target: i16le}"),
    .init(0x2AD9, "set-heart-rate", .fromCentral, "06 {target: u8}"),
    .init(0x2AD9, "start-or-resume", .fromCentral, "07"),
    .init(0x2AD9, "stop-or-pause", .fromCentral, "08 {kind: u8}"),  // 1 stop, 2 pause
    .init(0x2AD9, "set-energy", .fromCentral, "09 {target: u16le}"),
    .init(0x2AD9, "set-steps", .fromCentral, "0A {target: u16le}"),
    .init(0x2AD9, "set-strides", .fromCentral, "0B {target: u16le}"),
    .init(0x2AD9, "set-distance", .fromCentral, "0C {target: u24le}"),
    .init(0x2AD9, "set-training-time", .fromCentral, "0D {target: u16le}"),
    .init(0x2AD9, "set-two-zones", .fromCentral, "0E {seconds: bytes(4)}"),
    .init(0x2AD9, "set-three-zones", .fromCentral, "0F {seconds: bytes(6)}"),
    .init(0x2AD9, "set-five-zones", .fromCentral, "10 {seconds: bytes(10)}"),
    // 0.001 m/s, 0.01 %, 0.0001, 0.01 kg/m.
    .init(
      0x2AD9, "set-simulation", .fromCentral, "11 {wind: i16le} {slope: i16le} {rolling: u8} {drag: u8}"),
    .init(0x2AD9, "set-circumference", .fromCentral, "12 {circumference: u16le}"),  // 0.1 mm
    .init(0x2AD9, "spin-down", .fromCentral, "13 {kind: u8}"),
    .init(0x2AD9, "set-cadence", .fromCentral, "14 {target: u16le}"),
    // 1 success, 2 not supported, 3 invalid parameter, 4 failed, 5 control not permitted.
    .init(0x2AD9, "machine-answer", .fromDevice, "80 {op: u8} {result: u8} {parameter: bytes}"),

    .init(0x2ADA, "was-reset", .fromDevice, "01"),
    .init(0x2ADA, "was-stopped", .fromDevice, "02 {kind: u8}"),
    .init(0x2ADA, "was-stopped-by-key", .fromDevice, "03"),
    .init(0x2ADA, "was-started", .fromDevice, "04"),
    .init(0x2ADA, "has-speed", .fromDevice, "05 {target: u16le}"),
    .init(0x2ADA, "has-inclination", .fromDevice, "06 {target: i16le}"),
    .init(0x2ADA, "has-resistance", .fromDevice, "07 {level: bytes(1..2)}"),
    .init(0x2ADA, "has-power", .fromDevice, "08 {target: i16le}"),
    .init(0x2ADA, "has-heart-rate", .fromDevice, "09 {target: u8}"),
    .init(0x2ADA, "has-energy", .fromDevice, "0A {target: u16le}"),
    .init(0x2ADA, "has-steps", .fromDevice, "0B {target: u16le}"),
    .init(0x2ADA, "has-strides", .fromDevice, "0C {target: u16le}"),
    .init(0x2ADA, "has-distance", .fromDevice, "0D {target: u24le}"),
    .init(0x2ADA, "has-training-time", .fromDevice, "0E {target: u16le}"),
    .init(0x2ADA, "has-two-zones", .fromDevice, "0F {seconds: bytes(4)}"),
    .init(0x2ADA, "has-three-zones", .fromDevice, "10 {seconds: bytes(6)}"),
    .init(0x2ADA, "has-five-zones", .fromDevice, "11 {seconds: bytes(10)}"),
    .init(
      0x2ADA, "has-simulation", .fromDevice, "12 {wind: i16le} {slope: i16le} {rolling: u8} {drag: u8}"),
    .init(0x2ADA, "has-circumference", .fromDevice, "13 {circumference: u16le}"),
    .init(0x2ADA, "spins-down", .fromDevice, "14 {kind: u8}"),
    .init(0x2ADA, "has-cadence", .fromDevice, "15 {target: u16le}"),
    .init(0x2ADA, "lost-control", .fromDevice, "FF"),
  ]
}

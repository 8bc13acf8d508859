extension StandardMessages {
  private static let time = "{if has-time} \(date) {end}"
  private static let temperature = """
    {bits(0: 5, has-place: 1, has-time: 1, is-fahrenheit: 1)} {degrees: float} \(time) {if has-place} {place: u8} {end}
    """
  private static let pressure = """
    {bits(0: 3, has-status: 1, has-user: 1, has-pulse: 1, has-time: 1, in-kilopascals: 1)} \
    {systolic: sfloat} {diastolic: sfloat} {mean: sfloat} \(time) {if has-pulse} {pulse: sfloat} {end} \
    {if has-user} {user: u8} {end} {if has-status} {status: u16le} {end}
    """
  private static let level = """
    {bits(has-state: 1, has-calibration: 1, has-warning: 1, 0: 3, has-quality: 1, has-trend: 1)} {concentration: sfloat} \
    {minutes: u16le} {if has-state} {state: u8} {end} {if has-calibration} {calibration: u8} {end} \
    {if has-warning} {warning: u8} {end} {if has-trend} {trend: sfloat} {end} {if has-quality} {quality: sfloat} {end}
    """

  /// Health Thermometer, Blood Pressure, Pulse Oximeter, Glucose, Continuous Glucose Monitoring, Record Access Control Point.
  static let health: [StandardMessage] = [
    .init(0x2A1C, "body-temperature", .fromDevice, temperature),
    .init(0x2A1D, "temperature-type", .fromDevice, "{place: u8}"),
    .init(0x2A1E, "intermediate-temperature", .fromDevice, temperature),
    .init(0x2A21, "measurement-interval", nil, "{seconds: u16le}"),

    .init(0x2A35, "blood-pressure", .fromDevice, pressure),
    .init(0x2A36, "cuff-pressure", .fromDevice, pressure),
    .init(0x2A49, "pressure-features", .fromDevice, "{features: u16le}"),

    // Saturation in percent, beats a minute.
    .init(
      0x2A5E, "spot-oxygen", .fromDevice,
      """
      {bits(0: 3, clock-not-set: 1, has-amplitude: 1, has-sensor: 1, has-status: 1, has-time: 1)} \
      {oxygen: sfloat} {beats: sfloat} \(time) {if has-status} {status: u16le} {end} \
      {if has-sensor} {sensor: u24le} {end} {if has-amplitude} {amplitude: sfloat} {end}
      """),
    .init(
      0x2A5F, "oxygen", .fromDevice,
      """
      {bits(0: 3, has-amplitude: 1, has-sensor: 1, has-status: 1, has-slow: 1, has-fast: 1)} \
      {oxygen: sfloat} {beats: sfloat} {if has-fast} {fast-oxygen: sfloat} {fast-beats: sfloat} {end} \
      {if has-slow} {slow-oxygen: sfloat} {slow-beats: sfloat} {end} {if has-status} {status: u16le} {end} \
      {if has-sensor} {sensor: u24le} {end} {if has-amplitude} {amplitude: sfloat} {end}
      """),
    .init(
      0x2A60, "oxygen-features", .fromDevice,
      """
      {bitsle(0: 8, others: 6, has-sensor: 1, has-status: 1)} {if has-status} {status: u16le} {end} \
      {if has-sensor} {sensor: u24le} {end}
      """),

    // kg/L, or mol/L; the offset of the clock in minutes.
    .init(
      0x2A18, "glucose", .fromDevice,
      """
      {bits(0: 3, has-context: 1, has-status: 1, is-molar: 1, has-concentration: 1, has-offset: 1)} {sequence: u16le} \
      \(date) {if has-offset} {offset: i16le} {end} \
      {if has-concentration} {concentration: sfloat} {bits(place: 4, sample: 4)} {end} {if has-status} {status: u16le} {end}
      """),
    .init(
      0x2A34, "glucose-context", .fromDevice,
      """
      {bits(is-extended: 1, has-hba1c: 1, in-litres: 1, has-medication: 1, has-exercise: 1, has-tester: 1, has-meal: 1, \
      has-carbohydrate: 1)} {sequence: u16le} {if is-extended} {extended: u8} {end} \
      {if has-carbohydrate} {carbohydrate: u8} {kilograms: sfloat} {end} {if has-meal} {meal: u8} {end} \
      {if has-tester} {bits(health: 4, tester: 4)} {end} \
      {if has-exercise} {duration: u16le} {intensity: u8} {end} \
      {if has-medication} {medication: u8} {amount: sfloat} {end} {if has-hba1c} {hba1c: sfloat} {end}
      """),
    .init(0x2A51, "glucose-features", .fromDevice, "{features: u16le}"),
    // mg/dL, minutes since the start of the session; some devices append a checksum.
    .init(0x2AA7, "glucose-level", .fromDevice, "{size: u8} \(level)"),
    .init(0x2AA7, "glucose-level-checked", .fromDevice, "{size: u8} \(level) {crc16-mcrf4xx-le}"),

    // 1 report, 2 delete, 4 count, by the sequence number.
    .init(0x2A52, "abort-records", .fromCentral, "03 00"),
    .init(0x2A52, "all-records", .fromCentral, "{op: u8} 01"),
    .init(0x2A52, "records-up-to", .fromCentral, "{op: u8} 02 01 {end-at: u16le}"),
    .init(0x2A52, "records-from", .fromCentral, "{op: u8} 03 01 {begin-at: u16le}"),
    .init(0x2A52, "records-within", .fromCentral, "{op: u8} 04 01 {begin-at: u16le} {end-at: u16le}"),
    .init(0x2A52, "first-record", .fromCentral, "{op: u8} 05"),
    .init(0x2A52, "last-record", .fromCentral, "{op: u8} 06"),
    .init(0x2A52, "record-count", .fromDevice, "05 00 {records: u16le}"),
    .init(0x2A52, "records-answer", .fromDevice, "06 00 {op: u8} {result: u8}"),
  ]

  /// Weight Scale and Body Composition. Weights in 5 g or 0.01 lb, shares in 0.1 %, heights in mm or 0.1 in.
  static let scales: [StandardMessage] = [
    .init(
      0x2A9D, "weight", .fromDevice,
      """
      {bits(0: 4, has-index: 1, has-user: 1, has-time: 1, is-imperial: 1)} {weight: u16le} \(time) \
      {if has-user} {user: u8} {end} {if has-index} {index: u16le} {height: u16le} {end}
      """),
    .init(0x2A9E, "weight-features", .fromDevice, "{features: u32le}"),
    .init(
      0x2A9C, "body-composition", .fromDevice,
      """
      {bitsle(0: 3, goes-on: 1, has-height: 1, has-weight: 1, has-impedance: 1, has-water: 1, has-lean: 1, \
      has-fat-free: 1, has-muscle-mass: 1, has-muscle: 1, has-metabolism: 1, has-user: 1, has-time: 1, is-imperial: 1)} \
      {fat: u16le} \(time) {if has-user} {user: u8} {end} {if has-metabolism} {metabolism: u16le} {end} \
      {if has-muscle} {muscle: u16le} {end} {if has-muscle-mass} {muscle-mass: u16le} {end} \
      {if has-fat-free} {fat-free: u16le} {end} {if has-lean} {lean: u16le} {end} {if has-water} {water: u16le} {end} \
      {if has-impedance} {impedance: u16le} {end} {if has-weight} {weight: u16le} {end} \
      {if has-height} {height: u16le} {end}
      """),
    .init(0x2A9B, "composition-features", .fromDevice, "{features: u32le}"),
  ]
}

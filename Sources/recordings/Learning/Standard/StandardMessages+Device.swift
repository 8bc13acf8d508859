extension StandardMessages {
  /// Year to second of Date Time (2A08).
  static let date = "{year: u16le} {month: u8} {day: u8} {hour: u8} {minute: u8} {second: u8}"

  /// Generic Access, Device Information, Battery, time, alerts.
  static let device: [StandardMessage] = [
    .init(0x2A00, "device-name", nil, "{device-name: text}"),
    .init(0x2A01, "appearance", nil, "{appearance: u16le}"),
    // Intervals in 1.25 ms, the timeout in 10 ms.
    .init(
      0x2A04, "preferred-parameters", nil,
      "{shortest: u16le} {longest: u16le} {latency: u16le} {timeout: u16le}"),
    .init(0x2A05, "changed-handles", .fromDevice, "{first: u16le} {last: u16le}"),
    .init(0x2A06, "alert-level", nil, "{alert: u8}"),
    .init(0x2A07, "transmit-power", .fromDevice, "{power: i8}"),
    .init(0x2A08, "date-time", nil, date),
    .init(0x2A0F, "time-zone", nil, "{quarters-of-an-hour: i8} {summer-time: u8}"),
    .init(
      0x2A14, "time-source", .fromDevice, "{source: u8} {accuracy: u8} {days-since: u8} {hours-since: u8}"),
    .init(0x2A19, "battery-level", nil, "{percent: u8}"),
    .init(0x2A23, "system-id", .fromDevice, "{system-id: bytes(8)}"),
    .init(0x2A24, "model-number", .fromDevice, "{model: text}"),
    .init(0x2A25, "serial-number", .fromDevice, "{serial-number: text}"),
    .init(0x2A26, "firmware-revision", .fromDevice, "{firmware: text}"),
    .init(0x2A27, "hardware-revision", .fromDevice, "{hardware: text}"),
    .init(0x2A28, "software-revision", .fromDevice, "{software: text}"),
    .init(0x2A29, "manufacturer-name", .fromDevice, "{manufacturer: text}"),
    .init(0x2A2B, "current-time", nil, "\(date) {weekday: u8} {parts-of-256: u8} {reason: u8}"),
    .init(0x2A46, "new-alert", .fromDevice, "{category: u8} {alerts: u8} {note: text}"),
    .init(0x2A4A, "hid-information", .fromDevice, "{version: u16le} {country: u8} {flags: u8}"),
    .init(0x2A4C, "hid-control", .fromCentral, "{suspend-or-exit: u8}"),
    .init(0x2A4E, "protocol-mode", nil, "{mode: u8}"),
    .init(
      0x2A50, "pnp-id", .fromDevice, "{source: u8} {vendor: u16le} {product: u16le} {version: u16le}"),
    .init(0x2AA6, "address-resolution", .fromDevice, "{supported: u8}"),
  ]

  /// Environmental Sensing.
  static let environment: [StandardMessage] = [
    .init(0x2A6C, "elevation", nil, "{centimetres: i24le}"),
    .init(0x2A6D, "pressure", nil, "{pressure: u32le}"),  // 0.1 Pa
    .init(0x2A6E, "temperature", nil, "{temperature: i16le}"),  // 0.01 °C
    .init(0x2A6F, "humidity", nil, "{humidity: u16le}"),  // 0.01 %
    .init(0x2A70, "true-wind-speed", nil, "{speed: u16le}"),  // 0.01 m/s
    .init(0x2A71, "true-wind-direction", nil, "{direction: u16le}"),  // 0.01°
    .init(0x2A72, "apparent-wind-speed", nil, "{speed: u16le}"),
    .init(0x2A73, "apparent-wind-direction", nil, "{direction: u16le}"),
    .init(0x2A76, "uv-index", nil, "{uv-index: u8}"),
    .init(0x2A77, "irradiance", nil, "{irradiance: u16le}"),  // 0.1 W/m²
    .init(0x2A78, "rainfall", nil, "{millimetres: u16le}"),
    .init(0x2A79, "wind-chill", nil, "{celsius: i8}"),
    .init(0x2A7A, "heat-index", nil, "{celsius: i8}"),
    .init(0x2A7B, "dew-point", nil, "{celsius: i8}"),
    .init(0x2AFB, "illuminance", nil, "{illuminance: u24le}"),  // 0.01 lx
  ]
}

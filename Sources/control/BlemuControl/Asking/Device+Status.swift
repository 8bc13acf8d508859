import BlemuJSON

extension Device {
  /// What a device is, whether it is on the air, and who is connected.
  public struct Status: Hashable, Sendable {
    /// The device's name for commands, as in `blemu ps`.
    public var name: String
    /// The name of its definition, and the definition's file.
    public var definition: String, file: String
    /// As after `--on`.
    public var transport: String
    /// The number of its process.
    public var process: Int
    /// Whether it is on the air.
    public var isOnAir: Bool
    /// The adapter's name, the device's address, and the name that it advertises; nil: it is not on the air.
    public var adapter: String?, address: String?, deviceName: String?
    /// How long it has been on the air.
    public var time: Duration
    /// The addresses of the centrals that are connected.
    public var centrals: [String]
    /// How many values it has received, sent and lost.
    public var valuesIn: Int, valuesOut: Int, valuesLost: Int
    /// The number of the journal's last event.
    public var events: Int

    init(_ result: JSONValue) {
      func text(_ name: String) -> String { result[name]?.text ?? "" }
      func number(_ name: String) -> Int { result[name]?.wholeNumber ?? 0 }
      (name, definition, file) = (text("name"), text("definition"), text("file"))
      (transport, process) = (text("transport"), number("process"))
      isOnAir = result["on-air"]?.truth ?? false
      (adapter, address) = (result["adapter"]?.text, result["address"]?.text)
      deviceName = result["device-name"]?.text
      time = .milliseconds(number("milliseconds"))
      centrals = (result["centrals"]?.elements ?? []).compactMap(\.text)
      (valuesIn, valuesOut) = (number("values-in"), number("values-out"))
      (valuesLost, events) = (number("values-lost"), number("events"))
    }
  }
}

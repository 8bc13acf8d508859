import BlemuJSON

extension Device {
  /// Something that happened to a device: an entry of its journal.
  public struct Event: Hashable, Sendable {
    /// Its place in the journal; the first event has the number 1.
    public var number: Int
    /// When it happened, in UTC (ISO 8601), as in `2026-01-31T12:01:03.221Z`.
    public var time: String
    /// As in `blemu run --log json`: `connected`, `write`, `notify`, `warning` and so on.
    public var kind: String
    /// The id of the characteristic or descriptor.
    public var attribute: String?
    /// The bytes that were written, sent or read; empty if it is about no bytes.
    public var value: [UInt8]
    /// The name of the message that the bytes are; the text of a `log`, `warning` or `error`.
    public var message: String?
    /// The values of that message's fields, by their names.
    public var fields: [String: Value]
    /// The address of the central.
    public var central: String?
    /// All members, as the device sent them. Peripherals/guide/json.md lists them.
    public var members: [String: Value]
  }
}

extension Device.Event {
  init(_ value: JSONValue) {
    let members = Device.Value(value).members ?? [:]
    (number, time) = (members["number"]?.integer ?? 0, members["time"]?.text ?? "")
    (kind, attribute) = (members["event"]?.text ?? "", members["attribute"]?.text)
    self.value = members["value"]?.bytes ?? []
    (message, fields) = (members["message"]?.text, members["fields"]?.members ?? [:])
    (central, self.members) = (members["central"]?.text, members)
  }
}

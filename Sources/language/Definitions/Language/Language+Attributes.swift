import Bluetooth
import DeviceModel

extension Language {
  struct Service: LanguageObject {
    static let outline = Outline("a service", Self(), merging: .byIdentity) {
      [$0.uuid, $0.id, $0.condition, $0.isPrimary, $0.handle, $0.endHandle, $0.includes, $0.characteristics]
    }

    let uuid = Key.required("uuid", .text(.uuidTemplate), "as in 'uuid: FFE0'")
    let id = Key.optional(
      "id", .text(.characteristicID),
      "its name in the advertisement, and in definitions that extend this one")
    let condition = Language.presence
    let isPrimary = Key.optional("primary", .boolean, "true by default")
    let handle = Language.handle("of its declaration")
    let endHandle = Key.optional(
      "end-handle", .integer(1...0xFFFF),
      "the last handle of its group, for exact; by default that of its last attribute")
    let includes = ListKey.optional(
      "includes", .list(.text(.characteristicID), atLeast: 1), "the services that it includes, by id or UUID")
    let characteristics = ListKey.required(
      "characteristics", .list(.object(Characteristic.self)), "its characteristics, in order")
  }

  struct Characteristic: LanguageObject {
    static let outline = Outline("a characteristic", Self(), merging: .byIdentity) {
      [
        $0.uuid, $0.id, $0.condition, $0.properties, $0.permissions, $0.keySize, $0.value, $0.text,
        $0.live, $0.answers, $0.recipients, $0.cccd, $0.both, $0.longValues, $0.prepared, $0.handle,
        $0.descriptors,
      ]
    }

    let uuid = Key.required("uuid", .text(.uuidTemplate), "as in 'uuid: FFE1'")
    let id = Key.optional("id", .text(.characteristicID), "the name that framing and rules use")
    let condition = Language.presence
    let properties = Key.required(
      "properties", .list(.choice(CharacteristicProperties.allNames)), "what a central may do with it")
    let permissions = ListKey.optional(
      "permissions", .list(.choice(AttributePermissions.allNames)),
      "the security it requires; read, no-read, write and no-write override the properties"
    )
    let keySize = Language.keySize
    let value = Language.value
    let text = Language.text
    let live = Key.optional(
      "live", .choice(LiveUse.allCases.map(\.rawValue)),
      "when its value is computed: once (false, the default), at each read (on-read), or then and when it changes, to send it (true)"
    )
    let answers = Key.optional(
      "answers", .text(.characteristicID), "the characteristic that sends the rules' answers to its messages")
    let recipients = Key.optional(
      "recipients", .choice(ValueRecipients.allCases.map(\.rawValue)),
      "the centrals that get a value which an event of a central causes: all (the default) that have subscribed, or the asker"
    )
    let cccd = Key.optional(
      "cccd", .choice(CCCDUse.allCases.map(\.rawValue)),
      "what a central needs to get its values: required (the default): a subscription in 2902; requests-only: likewise, by "
        + "Write Request; ignored: nothing, but it has a 2902; none: nothing, and it has no 2902")
    let both = Key.optional(
      "both", .choice(BothUse.allCases.map(\.rawValue)),
      "what a central gets that asks for notifications and indications; notify by default")
    let longValues = Key.optional(
      "long", .choice(LongValueUse.allCases.map(\.rawValue)),
      "what happens to a value that is too long for the link: split (the default), cut or refuse")
    let prepared = Key.optional(
      "prepared", .choice(PreparedUse.allCases.map(\.rawValue)),
      "the parts of a long value: joined (the default): rules see one write; each: rules see each part as it is prepared; "
        + "never: they are refused")
    let handle = Language.handle("of its value")
    let descriptors = ListKey.optional(
      "descriptors", .list(.object(Descriptor.self)), "without 2902, which BlueZ adds by itself")
  }

  struct Descriptor: LanguageObject {
    static let outline = Outline("a descriptor", Self(), merging: .byIdentity) {
      [$0.uuid, $0.properties, $0.permissions, $0.keySize, $0.handle, $0.value, $0.text, $0.live]
    }

    let uuid = Key.lasting("uuid", .text(.uuid), "as in 'uuid: 2901'")
    let properties = Key.optional(
      "properties", .list(.choice(["read", "write", "notify"])),
      "[read] by default; with notify, the values of the characteristic are sent with its handle, for exact")
    let permissions = ListKey.optional(
      "permissions", .list(.choice(Self.permissionNames)), "the security that it requires")
    let keySize = Language.keySize
    let handle = Language.handle("of its own")
    let value = Language.value
    let text = Language.text
    let live = Key.optional("live", .boolean, "whether its value is computed at each read; false by default")

    /// The permissions of `org.bluez.GattDescriptor1`. The others follow from its properties, which no central sees.
    private static let permissionNames = AttributePermissions.allNames.filter {
      !$0.hasSuffix("-notify") && !$0.hasSuffix("-indicate")
        && !AttributePermissions.beyondProperties.names.contains($0)
    }
  }

  private static func handle(_ owner: String) -> Key<Located<Int>> {
    Key.optional("handle", .integer(1...0xFFFF), "the handle \(owner), for exact; by default the next one")
  }

  private static let keySize = Key.optional(
    "key-size", .integer(7...16),
    "the shortest encryption key that its permissions accept, in bytes; 7 by default",
    needs: "permissions")
  private static let presence = Key.optional(
    "if", .text(.expression), "it exists only if this is true of the settings")
  private static let value = Key.optional("value", .text(.bytes), "its initial value, in hex")
  private static let text = Key.optional(
    "text", .text(.template), "its initial value, as text", excludes: ["value"])
}

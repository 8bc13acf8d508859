import Bluetooth
import Definitions
import DeviceModel

/// Mistakes in one line of a transcript.
extension Mistake {
  static func unknownLine(word: String) -> Self { Self("unknown line", Self.hint(forLine: word)) }
  static let noTitle = Self("the section's title is missing", "as in == Asking for a day")
  static func missing(_ part: LinePart) -> Self { Self("\(part.noun) is missing", part.hint) }
  /// - Parameter form: the form of the line.
  static func excess(after form: Form?) -> Self {
    let hint: String? =
      switch form {
      case .read: "the value that 'read' must return is a line of its own: = VALUE"
      case .wait, .pause: waitHint
      default: nil
      }
    return Self("expected the end of the line", hint)
  }
  /// - Parameter value: whether the words come after a value; otherwise they come after `disconnected`.
  static func excessAfter(value: Bool) -> Self {
    Self(
      "expected the end of the line",
      "only 'after'\(value ? ", 'within' or 'repeated'" : " or 'within'") may follow, once")
  }

  // Text in general.
  static let noSpaceBeforeQuote = Self("expected a space before the quote")
  static let noSpaceAfterQuote = Self(
    "expected a space after the closing quote", #"write a quote inside the text as \""#)
  static let noClosingQuote = Self("the closing quote is missing")
  static let unknownEscape = Self("unknown escape", #"known: \r, \n, \t, \\, \", \xNN"#)
  static let notUTF8 = Self("expected UTF-8 text")

  // Lines that configure a conversation.
  static let notFileName = Self(
    "expected the name of a definition",
    "write a path relative to this file, as in ../lamp.yaml, or the name of a bundled one, as in hm-10")
  static let notSetting = Self("expected NAME=VALUE", "as in set local-name=\"My lamp\"")
  static let notClock = Self(
    "expected a date and a time", "as in clock 2026-11-29T12:00:00, in UTC, or with Z or +01:00 at its end")
  static let notSeed = Self("expected a whole number, 0 or greater", "as in seed 7")

  // Actions and their times.

  static let notConnection = Self("expected mtu=NUMBER or raw", "as in connect mtu=185")
  static let notPhone = Self("expected 'phone'", "as in connect as phone")
  static let notLoseKeys = Self("expected 'keys'", "as in lose keys")
  static let notCentral = Self("expected the name of a central", "for example: as B connect")
  static let notOfCentral = Self("no central does or gets this", "leave 'as NAME' out")
  static func badMTU(_ range: ClosedRange<Int>) -> Self {
    Self("an MTU must be a number from \(range.lowerBound) to \(range.upperBound)")
  }
  static func notParameter(known: [String]) -> Self {
    Self("expected NAME=VALUE", "NAME: " + known.joined(separator: ", "))
  }
  /// - Parameter unit: in microseconds.
  static func betweenUnits(unit: Int) -> Self { Self("this is not in steps of \(Double(unit) / 1000) ms") }
  static let impossibleParameters = Self(
    "no link can have these parameters",
    "the interval has 7.5 ms to 4 s, latency 0 to 499; the timeout has 100 ms to 32 s, and more than "
      + "2 · (latency + 1) · interval")
  static func unknownPHY(_ name: String) -> Self {
    Self("unknown PHY", Suggestion.hint(for: name, in: PHY.words))
  }
  static let notRefuseParameters = Self("expected 'refuse parameters'")
  static let notReason = Self("expected reason=NAME", "as in disconnect reason=supervision-timeout")
  static func unknownReason(_ name: String) -> Self {
    Self(
      "unknown reason",
      Suggestion.hint(for: name, in: HCIError.allNames)
        ?? "such as supervision-timeout, or a code, as in 0x2E")
  }
  static func notPairing(known: [String]) -> Self {
    Self("expected NAME=VALUE", "NAME: " + known.joined(separator: ", "))
  }
  static let badPasskey = Self("a passkey has six digits", "as in pair passkey=012345")
  static func needlessPasskey(_ model: AssociationModel) -> Self {
    model == .numericComparison
      ? Self("the device and this central compare numbers; nobody enters a passkey", "leave it out")
      : Self(
        "the device and this central pair by Just Works; nobody enters a passkey",
        "leave it out, or give the device another io-capability")
  }
  static func unknownCapability(_ name: String, known: [String]) -> Self {
    Self("unknown io-capability", Suggestion.hint(for: name, in: known))
  }
  static let notSecureConnections = Self("expected allowed or never")
  static let badKeySize = Self("a key has 7 to 16 bytes")
  static func notDuration(afterPlus: Bool) -> Self {
    Self("expected a duration\(afterPlus ? " after '+'" : "")", durationHint)
  }
  static let notWait = Self("expected a duration", waitHint)
  static func longDuration(mostDays: Int) -> Self { Self("a duration may be at most \(mostDays) days") }
  static let endsBeforeBeginning = Self("this time ends before it begins", "as in 2s..2.1s")
  static let commandToDescriptor = Self("a descriptor can only be written by request", "use '>'")
  static let notAdvertising = Self("expected 'not advertising'")
  static let notOnOrOff = Self("expected 'advertise on' or 'advertise off'")
  static let notFaults = Self("expected 'no fault' or 'no faults'")
  static func unknownError(_ word: String) -> Self {
    let near = Suggestion.nearest(to: word, in: ATTError.allNames + PairingFailure.allNames)
    return Self(
      "unknown error",
      near.map { "did you mean '\($0)'?" }
        ?? "for example value-not-allowed, 0x80, or pairing-not-supported after 'pair'")
  }
  static let notFoundCharacteristic = Self("expected SERVICE/CHARACTERISTIC", foundHint)

  // Names.
  static func unknownCharacteristic(_ id: String, known: [String]) -> Self {
    Self("no characteristic has the id '\(id)'", Suggestion.hint(for: id, in: known))
  }
  static func notSought(_ id: String, known: [String]) -> Self {
    Self(
      "the device does not look for '\(id)' at a central",
      Suggestion.hint(for: id, in: known) ?? "the definition has no 'client'")
  }
  static func unknownChannel(_ id: String, known: [String]) -> Self {
    Self("no channel has the id '\(id)'", Suggestion.hint(for: id, in: known) ?? "the definition has none")
  }
  static func severalCharacteristics(_ uuid: String, ids: [String]) -> Self {
    Self(
      "\(ids.count) characteristics have the UUID '\(uuid)'",
      "name one by its id: \(ids.joined(separator: ", "))")
  }
  static func unknownDescriptor(_ descriptor: String, of id: String, known: [String]) -> Self {
    Self("'\(id)' has no descriptor '\(descriptor)'", Suggestion.hint(for: descriptor, in: known))
  }
  static func cannotNotify(_ id: String) -> Self { Self("'\(id)' neither notifies nor indicates") }
  static func layerAsPlace(_ name: String) -> Self {
    Self(
      "'\(name)' is a layer: no central writes to it or gets its values",
      "write the values of the characteristic; 'sent \(name) …' and 'received \(name) …' expect its messages")
  }
  static let notWire = Self("expected 'wire'")
  static func noWireSide(device: String) -> Self { Self("\(device) has no wire side") }

  // Values.
  static let wildcard = Self("'**' and '...' are only for expected values")
  static let notNote = Self("expected a line of the log in quotes, or a condition", noteHint)
  static let unknownHole = Self(
    "only {address} is allowed in braces",
    "{address:le} has its least significant byte first; {address:hex} is text, 12 hex digits")
  static let wordAfterOpenEnd = Self("'...' must be the last word of the value")
  static let halfByte = Self("a byte must have two hex digits")
  static func notBytes(_ word: String, messages: [String]) -> Self {
    Self(
      "'\(word)' is neither bytes nor a message",
      Suggestion.nearest(to: word, in: messages).map { "did you mean '\($0)'?" }
        ?? "write bytes as A5 06 (** is any byte, ... any bytes), text as \"OK\"")
  }
  static func fieldWithoutMessage(messages: [String]) -> Self {
    Self(
      "only a message has fields",
      messages.isEmpty ? nil : "messages: " + messages.prefix(12).joined(separator: ", "))
  }

  // Messages.
  static func unknownMessage(_ name: String, known: [String]) -> Self {
    Self(
      "the definition has no message '\(name)'",
      known.isEmpty ? "it has no messages" : Suggestion.hint(for: name, in: known))
  }
  static func missingFields(_ names: [String], message: String) -> Self {
    Self(
      "'\(message)' needs values for: \(names.prefix(4).joined(separator: ", "))"
        + (names.count > 4 ? ", …" : ""))
  }
  static func cannotBuild(message: String, _ error: EncodingError) -> Self {
    Self("'\(message)' cannot be built: \(error)")
  }
  static func secondValue(field: String) -> Self { Self("'\(field)' is given twice") }
  static func notField(known: [String]) -> Self { Self("expected FIELD=VALUE", Self.hint(forFields: known)) }
  static func unknownField(_ name: String, message: String, known: [String]) -> Self {
    Self(
      "'\(message)' has no field '\(name)'",
      known.isEmpty ? Self.hint(forFields: known) : Suggestion.hint(for: name, in: known))
  }
  static func repeatedPart(_ name: String) -> Self {
    Self(
      "'\(name)' is a repeated part",
      "set its fields, as in \(name)[0].NAME=VALUE, or its size, as in \(name).size=2")
  }
  static func notWholeNumber(field: String) -> Self {
    Self("'\(field)' must be a whole number", "as in 17 or 0x11")
  }
  static func notDecimal(field: String) -> Self {
    Self("'\(field)' must be a number", "as in 36.6 or -4; also nan, nres, infinity and -infinity")
  }
  static func notNamed(_ name: String, known: [String]) -> Self {
    Self("the field is never '\(name)'", Suggestion.hint(for: name, in: known))
  }

  // Advertisements.
  static let notAdvertisementField = Self("expected NAME=VALUE", "as in local-name=\"Demo\"")
  static func unknownAdvertisementField(_ name: String, known: [String]) -> Self {
    Self("an advertisement has no field '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func unknownSet(_ name: String, known: [String]) -> Self {
    Self("the advertisement has no set '\(name)'", Suggestion.hint(for: name, in: known))
  }
  static func notUUIDs(known: [String]) -> Self {
    let ids = known.filter { BluetoothUUID($0) == nil }
    return Self(
      "expected UUIDs separated by commas",
      "as in services=FFE0,180F" + (ids.isEmpty ? "" : "; or ids: " + ids.joined(separator: ", ")))
  }
  static func notKeyed(_ key: AdvertisedKey) -> Self { Self("expected KEY:BYTES", "KEY: \(key.hint)") }
  static func notNumber(least: Int, most: Int) -> Self { Self("expected a number from \(least) to \(most)") }
  static let notInterval = Self("expected an advertising interval", "as in 100ms or 100ms-200ms")
  static let notAddress = Self(
    "expected an address or its kind",
    "as in C0:12:34:56:78:9A, public, static, resolvable or non-resolvable")
  static let notFlag = Self("expected true or false")

  /// The key before the colon in an advertisement's field.
  enum AdvertisedKey {
    case company, service, adType
  }

  private static let durationHint = "write a number with ms, s, min, h or d, as in 200ms"
  private static let waitHint =
    "'wait' only lets time pass; '< ID VALUE within 20s' waits for a notification"
  private static let noteHint = "as in * \"the lamp is now 1\", or * power and count == 3"
  private static let foundHint = "write the UUIDs of a service and a characteristic, as in FFE0/FFE1"

  private static func hint(forLine word: String) -> String? {
    let mark = Form.marks.first { word.hasPrefix($0) && word.count > $0.count }
    return mark.map { "put a space after '\($0)'" }
      ?? foreignWords[word.lowercased().filter { $0 != "-" && $0 != "_" }]
      ?? Suggestion.hint(for: word, in: Form.allCases.map(\.rawValue).filter { $0.first!.isLetter })
  }

  /// The first words of lines in other languages, with the lines of a transcript.
  private static let foreignWords: [String: String] = {
    let lines = [
      ("a central writes with '>', as in > switch 01", ["write", "writerequest", "send", "put", "request"]),
      (
        "a central writes by command with '>!', as in >! switch 01",
        ["writecommand", "writewithoutresponse", "command"]
      ),
      ("'wait' lets time pass, as in wait 5s", ["sleep", "delay", "pause", "advance", "after"]),
      (
        "a line '<' expects a notification, as in < switch 01",
        ["notify", "notification", "indicate", "indication", "receive", "recv", "await"]
      ),
      (
        "expect a notification with '< switch 01', what 'read' returns with '= 01', a condition with '* level > 5'",
        ["expect", "expects", "assert", "check", "verify", "should"]
      ),
      (
        "'* \"TEXT\"' expects a message of the log; '#' begins a comment",
        ["log", "print", "echo", "comment"]
      ),
      (
        "'advertises' says what the device must advertise, 'finds' what it must have",
        ["scan", "discover", "advertisement", "services"]
      ),
    ]
    return Dictionary(uniqueKeysWithValues: lines.flatMap { hint, words in words.map { ($0, hint) } })
  }()

  private static func hint(forFields names: [String]) -> String {
    names.isEmpty ? "the message has no fields" : "fields: " + names.joined(separator: ", ")
  }
}

extension Mistake {
  /// A part that a line lacks.
  struct LinePart {
    fileprivate let noun: String
    fileprivate let hint: String?

    private init(_ noun: String, _ hint: String? = nil) { (self.noun, self.hint) = (noun, hint) }

    static func characteristic(known: [String]) -> Self {
      Self("a characteristic", "known: " + known.joined(separator: ", "))
    }
    static let central = Self("the name of a central", "for example: as B connect")
    static let actionOfCentral = Self("what the central does", "for example: as B connect")
    static let phone = Self("'phone'", "as in connect as phone")
    static let keys = Self("'keys'", "as in lose keys")
    static func control(known: [String]) -> Self { Self("a control", hint(for: known)) }
    static func channel(known: [String]) -> Self { Self("a channel", hint(for: known)) }
    static func sought(known: [String]) -> Self { Self("what the device looks for", hint(for: known)) }
    static let foundCharacteristic = Self("a characteristic", foundHint)
    static let definitionFile = Self("the definition's file", "as in device lamp.yaml")
    static let setting = Self("a setting", "as in set NAME=VALUE")
    static let clock = Self("a time", "as in clock 2026-11-29T12:00:00")
    static let seed = Self("a number", "as in seed 7")
    static let duration = Self("a duration", durationHint)
    static let attError = Self("an error", "as in ! value-not-allowed")
    static let value = Self(
      "a value", "write bytes as A5 06, text as \"OK\", or a message; \"\" is an empty value")
    static let wire = Self("'wire'")
    static let advertising = Self("'advertising'")
    static let onOrOff = Self("'on' or 'off'")
    static let interval = Self("the interval", "as in parameters interval=50ms")
    static let phy = Self("a PHY", "as in phy 2M, or phy tx=2M rx=coded")
    static let parameters = Self("'parameters'", "as in refuse parameters")
    static let note = Self("a line of the log, or a condition,", noteHint)
    static let journalLine = Self(
      "a line of the journal", "as in '> FFE1 41 54', '< FFE1 \"OK\"', 'connect' or '* level < 5'")
    static let fault = Self("a fault", "as in fault drop out on serial every 3rd")
    static let faults = Self("'fault' or 'faults'", "'no faults' removes all faults")

    private static func hint(for known: [String]) -> String {
      known.isEmpty ? "the definition has none" : "known: " + known.joined(separator: ", ")
    }
  }
}

extension Mistake.AdvertisedKey {
  fileprivate var hint: String {
    switch self {
    case .company: "4 hex digits, as in 4D48:01**"
    case .service: "a UUID, as in FFE0:01**"
    case .adType: "2 hex digits, as in 19:4003"
    }
  }
}

import Bluetooth
import Definitions
import DeviceModel

/// A mistake in one line of a transcript.
enum LineMistake: Mistake {
  case unknownLine(word: String)
  case noTitle
  case missing(Part)
  /// There are more words than the line can have.
  case excess
  /// There are more words after the value, or after `disconnected`, than the line can have.
  case excessAfter(value: Bool)

  // Text in general.
  case noSpaceBeforeQuote
  case noSpaceAfterQuote
  case noClosingQuote
  case unknownEscape
  case notUTF8

  // Lines that configure a conversation.
  case notFileName
  case notSetting
  case notSeed

  // Actions and their times.
  /// A setting, a variable or a control does not accept this.
  case control(ControlMistake)
  case notConnection
  case badMTU(ClosedRange<Int>)
  case notParameter(known: [String])
  /// - Parameter unit: in microseconds.
  case betweenUnits(unit: Int)
  case impossibleParameters
  case unknownPHY(String)
  case notRefuseParameters
  /// `disconnect` is followed by an unknown word.
  case notReason
  case unknownReason(String)
  case notPairing(known: [String])
  case badPasskey
  case needlessPasskey(AssociationModel)
  case unknownCapability(String, known: [String])
  case notSecureConnections
  case notDuration(afterPlus: Bool)
  case longDuration(mostDays: Int)
  /// A range of time ends before it begins.
  case endsBeforeBeginning
  case commandToDescriptor
  case notAdvertising
  case notOnOrOff
  /// `no` is followed by a word other than `fault` or `faults`.
  case notFaults
  case unknownError(String)
  case notFoundCharacteristic

  // Names.
  case unknownCharacteristic(String, known: [String])
  case notSought(String, known: [String])
  case unknownChannel(String, known: [String])
  /// Several characteristics have this UUID.
  case severalCharacteristics(String, ids: [String])
  case unknownDescriptor(String, of: String, known: [String])
  case cannotNotify(String)
  case notWire
  case noWireSide(device: String)

  // Values.
  case wildcard
  /// `*` is followed by neither quoted text nor a condition.
  case notNote
  /// Braces contain something other than the address.
  case unknownHole
  case wordAfterOpenEnd
  case halfByte
  case notBytes(String, messages: [String])
  case fieldWithoutMessage(messages: [String])

  // Messages.
  case unknownMessage(String, known: [String])
  case missingFields([String], message: String)
  case cannotBuild(message: String, EncodingError)
  case secondValue(field: String)
  case notField(known: [String])
  case unknownField(String, message: String, known: [String])
  case repeatedPart(String)
  case notWholeNumber(field: String)
  case notDecimal(field: String)
  /// No number of the field has this name.
  case notNamed(String, known: [String])

  // Advertisements.
  case notAdvertisementField
  case unknownAdvertisementField(String, known: [String])
  case unknownSet(String, known: [String])
  case notUUIDs
  case notKeyed(Key)
  case notNumber(least: Int, most: Int)
  case notInterval
  case notAddress
  case notFlag

  /// A part that a line lacks.
  enum Part {
    case characteristic(known: [String])
    case control(known: [String])
    case channel(known: [String])
    case sought(known: [String])
    case foundCharacteristic, definitionFile, setting, seed, duration, attError, value, wire, advertising,
      onOrOff, interval, phy, parameters,
      note, journalLine, fault, faults
  }

  /// The key before the colon in an advertisement's field.
  enum Key {
    case company, service, adType
  }
}

extension LineMistake {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .unknownLine(let word): ("unknown line", Self.hint(forLine: word))
    case .noTitle: ("the section's title is missing", "as in == Asking for a day")
    case .missing(let part): ("\(part.noun) is missing", part.hint)
    case .excess: ("expected the end of the line", nil)
    case .excessAfter(value: true):
      ("expected the end of the line", "only 'after', 'within' or 'repeated' may follow, once")
    case .excessAfter(value: false):
      ("expected the end of the line", "only 'after' or 'within' may follow, once")

    case .noSpaceBeforeQuote: ("expected a space before the quote", nil)
    case .noSpaceAfterQuote:
      ("expected a space after the closing quote", #"write a quote inside the text as \""#)
    case .noClosingQuote: ("the closing quote is missing", nil)
    case .unknownEscape: ("unknown escape", #"known: \r, \n, \t, \\, \", \xNN"#)
    case .notUTF8: ("expected UTF-8 text", nil)

    case .notFileName:
      (
        "expected the name of a definition",
        "write a path relative to this file, as in ../lamp.yaml, or the name of a bundled one, as in hm-10"
      )
    case .notSetting: ("expected NAME=VALUE", "as in set local-name=\"My lamp\"")
    case .notSeed: ("expected a whole number, 0 or greater", "as in seed 7")

    case .control(let error): error.sentences
    case .notConnection: ("expected mtu=NUMBER or raw", "as in connect mtu=185")
    case .badMTU(let range): ("an MTU must be a number from \(range.lowerBound) to \(range.upperBound)", nil)
    case .notParameter(let known): ("expected NAME=VALUE", "NAME: " + known.joined(separator: ", "))
    case .betweenUnits(let unit): ("this is not in steps of \(Double(unit) / 1000) ms", nil)
    case .impossibleParameters:
      (
        "no link can have these parameters",
        "the interval has 7.5 ms to 4 s, latency 0 to 499; the timeout has 100 ms to 32 s, and more than "
          + "2 · (latency + 1) · interval"
      )
    case .unknownPHY(let name): ("unknown PHY", Suggestion.hint(for: name, in: PHY.words))
    case .notRefuseParameters: ("expected 'refuse parameters'", nil)
    case .notReason: ("expected reason=NAME", "as in disconnect reason=supervision-timeout")
    case .unknownReason(let name):
      (
        "unknown reason",
        Suggestion.hint(for: name, in: HCIError.allNames)
          ?? "such as supervision-timeout, or a code, as in 0x2E"
      )
    case .notPairing(let known): ("expected NAME=VALUE", "NAME: " + known.joined(separator: ", "))
    case .unknownCapability(let name, let known):
      ("unknown io-capability", Suggestion.hint(for: name, in: known))
    case .notSecureConnections: ("expected allowed or never", nil)
    case .badPasskey: ("a passkey has six digits", "as in pair passkey=012345")
    case .needlessPasskey(.numericComparison):
      ("the device and this central compare numbers; nobody enters a passkey", "leave it out")
    case .needlessPasskey:
      (
        "the device and this central pair by Just Works; nobody enters a passkey",
        "leave it out, or give the device another io-capability"
      )
    case .notDuration(afterPlus: false): ("expected a duration", Self.durationHint)
    case .notDuration(afterPlus: true): ("expected a duration after '+'", Self.durationHint)
    case .longDuration(let mostDays): ("a duration may be at most \(mostDays) days", nil)
    case .endsBeforeBeginning: ("this time ends before it begins", "as in 2s..2.1s")
    case .commandToDescriptor: ("a descriptor can only be written by request", "use '>'")
    case .notAdvertising: ("expected 'not advertising'", nil)
    case .notOnOrOff: ("expected 'advertise on' or 'advertise off'", nil)
    case .notFaults: ("expected 'no fault' or 'no faults'", nil)
    case .unknownError(let word):
      (
        "unknown error",
        Suggestion.nearest(to: word, in: ATTError.allNames + PairingFailure.allNames)
          .map { "did you mean '\($0)'?" }
          ?? "for example value-not-allowed, 0x80, or pairing-not-supported after 'pair'"
      )
    case .notFoundCharacteristic: ("expected SERVICE/CHARACTERISTIC", Self.foundHint)

    case .unknownCharacteristic(let id, let known):
      ("no characteristic has the id '\(id)'", Suggestion.hint(for: id, in: known))
    case .unknownChannel(let id, let known):
      ("no channel has the id '\(id)'", Suggestion.hint(for: id, in: known) ?? "the definition has none")
    case .notSought(let id, let known):
      (
        "the device does not look for '\(id)' at a central",
        Suggestion.hint(for: id, in: known) ?? "the definition has no 'client'"
      )
    case .severalCharacteristics(let uuid, let ids):
      (
        "\(ids.count) characteristics have the UUID '\(uuid)'",
        "name one by its id: \(ids.joined(separator: ", "))"
      )
    case .unknownDescriptor(let descriptor, let id, let known):
      ("'\(id)' has no descriptor '\(descriptor)'", Suggestion.hint(for: descriptor, in: known))
    case .cannotNotify(let id): ("'\(id)' neither notifies nor indicates", nil)
    case .notWire: ("expected 'wire'", nil)
    case .noWireSide(let device): ("\(device) has no wire side", nil)

    case .wildcard: ("'**' and '...' are only for expected values", nil)
    case .notNote: ("expected a line of the log in quotes, or a condition", Self.noteHint)
    case .unknownHole:
      (
        "only {address} is allowed in braces",
        "{address:le} has its least significant byte first; {address:hex} is text, 12 hex digits"
      )
    case .wordAfterOpenEnd: ("'...' must be the last word of the value", nil)
    case .halfByte: ("a byte must have two hex digits", nil)
    case .notBytes(let word, let messages):
      (
        "'\(word)' is neither bytes nor a message",
        Suggestion.nearest(to: word, in: messages).map { "did you mean '\($0)'?" }
          ?? "write bytes as A5 06 (** is any byte, ... any bytes), text as \"OK\""
      )
    case .fieldWithoutMessage(let messages):
      (
        "only a message has fields",
        messages.isEmpty ? nil : "messages: " + messages.prefix(12).joined(separator: ", ")
      )

    case .unknownMessage(let name, let known):
      (
        "the definition has no message '\(name)'",
        known.isEmpty ? "it has no messages" : Suggestion.hint(for: name, in: known)
      )
    case .missingFields(let names, let message):
      (
        "'\(message)' needs values for: \(names.prefix(4).joined(separator: ", "))"
          + (names.count > 4 ? ", …" : ""), nil
      )
    case .cannotBuild(let message, let error): ("'\(message)' cannot be built: \(error)", nil)
    case .secondValue(let field): ("'\(field)' is given twice", nil)
    case .notField(let known): ("expected FIELD=VALUE", Self.hint(forFields: known))
    case .unknownField(let name, let message, let known):
      (
        "'\(message)' has no field '\(name)'",
        known.isEmpty ? Self.hint(forFields: known) : Suggestion.hint(for: name, in: known)
      )
    case .repeatedPart(let name):
      (
        "'\(name)' is a repeated part",
        "set its fields, as in \(name)[0].NAME=VALUE, or its size, as in \(name).size=2"
      )
    case .notWholeNumber(let field): ("'\(field)' must be a whole number", "as in 17 or 0x11")
    case .notDecimal(let field):
      ("'\(field)' must be a number", "as in 36.6 or -4; also nan, nres, infinity and -infinity")
    case .notNamed(let name, let known):
      ("the field is never '\(name)'", Suggestion.hint(for: name, in: known))

    case .notAdvertisementField: ("expected NAME=VALUE", "as in local-name=\"Demo\"")
    case .unknownAdvertisementField(let name, let known):
      ("an advertisement has no field '\(name)'", Suggestion.hint(for: name, in: known))
    case .unknownSet(let name, let known):
      ("the advertisement has no set '\(name)'", Suggestion.hint(for: name, in: known))
    case .notUUIDs: ("expected UUIDs separated by commas", "as in services=FFE0,180F")
    case .notKeyed(let key): ("expected KEY:BYTES", "KEY: \(key.hint)")
    case .notNumber(let least, let most): ("expected a number from \(least) to \(most)", nil)
    case .notAddress:
      (
        "expected an address or its kind",
        "as in C0:12:34:56:78:9A, public, static, resolvable or non-resolvable"
      )
    case .notInterval: ("expected an advertising interval", "as in 100ms or 100ms-200ms")
    case .notFlag: ("expected true or false", nil)
    }
  }

  fileprivate static let durationHint = "write a number with ms, s or min, as in 200ms"
  fileprivate static let noteHint = "as in * \"the lamp is now 1\", or * power and count == 3"
  fileprivate static let foundHint = "write the UUIDs of a service and a characteristic, as in FFE0/FFE1"

  private static func hint(forLine word: String) -> String? {
    let mark = Form.marks.first { word.hasPrefix($0) && word.count > $0.count }
    return mark.map { "put a space after '\($0)'" }
      ?? Suggestion.hint(for: word, in: Form.allCases.map(\.rawValue).filter { $0.first!.isLetter })
  }

  private static func hint(forFields names: [String]) -> String {
    names.isEmpty ? "the message has no fields" : "fields: " + names.joined(separator: ", ")
  }
}

extension LineMistake.Part {
  fileprivate var noun: String {
    switch self {
    case .characteristic, .foundCharacteristic: "a characteristic"
    case .channel: "a channel"
    case .sought: "what the device looks for"
    case .control: "a control"
    case .definitionFile: "the definition's file"
    case .setting: "a setting"
    case .seed: "a number"
    case .duration: "a duration"
    case .attError: "an error"
    case .value: "a value"
    case .wire: "'wire'"
    case .advertising: "'advertising'"
    case .onOrOff: "'on' or 'off'"
    case .interval: "the interval"
    case .phy: "a PHY"
    case .parameters: "'parameters'"
    case .note: "a line of the log, or a condition,"
    case .journalLine: "a line of the journal"
    case .fault: "a fault"
    case .faults: "'fault' or 'faults'"
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .characteristic(let known): "known: " + known.joined(separator: ", ")
    case .control(let known), .channel(let known), .sought(let known):
      known.isEmpty ? "the definition has none" : "known: " + known.joined(separator: ", ")
    case .foundCharacteristic: LineMistake.foundHint
    case .definitionFile: "as in device lamp.yaml"
    case .setting: "as in set NAME=VALUE"
    case .seed: "as in seed 7"
    case .duration: LineMistake.durationHint
    case .attError: "as in ! value-not-allowed"
    case .value: "write bytes as A5 06, text as \"OK\", or a message; \"\" is an empty value"
    case .note: LineMistake.noteHint
    case .journalLine: "as in '> FFE1 41 54', '< FFE1 \"OK\"', 'connect' or '* level < 5'"
    case .interval: "as in parameters interval=50ms"
    case .phy: "as in phy 2M, or phy tx=2M rx=coded"
    case .parameters: "as in refuse parameters"
    case .fault: "as in fault drop on serial every 3rd"
    case .faults: "'no faults' removes all faults"
    case .wire, .advertising, .onOrOff: nil
    }
  }
}

extension LineMistake.Key {
  fileprivate var hint: String {
    switch self {
    case .company: "4 hex digits, as in 4D48:01**"
    case .service: "a UUID, as in FFE0:01**"
    case .adType: "2 hex digits, as in 19:4003"
    }
  }
}

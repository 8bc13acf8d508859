import Framing

/// A message of a definition, by its name and its template.
package struct MessageReference: Hashable, Sendable {
  package let template: MessageTemplate

  package init(_ template: MessageTemplate) { self.template = template }

  package static func == (a: Self, b: Self) -> Bool {
    a.template === b.template
      || a.template.name == b.template.name && a.template.program == b.template.program
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(template.name) }
}

/// A checked expression: every name is resolved to a slot and every type matches.
package indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// The setting with this index in ``PeripheralDefinition/settings``.
  case setting(Int)
  /// The field with this index in the received message.
  case field(Int)
  case variable(Int)
  /// The current value of the generator with this index.
  case generator(Int)
  /// A value from the engine.
  case known(KnownValue)
  /// How many times a `repeat` around it has run, or the value that the rule has given to a parameter of shared actions; by its
  /// index in ``Rule/locals``.
  case local(Int, ValueType)
  /// The value of a parameter, by its index; only in the body of a function.
  case argument(Int, ValueType)
  /// The body of a function of the definition, by its index in ``PeripheralDefinition/functions``. The arguments are evaluated
  /// once; the body has their types.
  case apply(function: Int, [Expression], body: Expression)
  /// Whether a central has subscribed to the characteristic with this index.
  case isSubscribed(Int)
  /// The handle of an attribute; 0 (Vol 3 Part F 3.2.2) if the device does not have it now, or its server does not report it.
  case handle(HandleOwner)
  /// A question about the setting with a name; `count` is the number of settings.
  case named(SettingQuestion, [Expression], count: Int)
  case unary(UnaryOperator, Expression)
  case binary(BinaryOperator, Expression, Expression)
  case call(Function, [Expression])
  case cryptography(CryptographicFunction, [Expression])
  /// A cell of the row with this key in a data table; 0 or empty if there is no such row.
  case cell(table: Int, key: [Expression], column: Int)
  /// The rows whose first key columns are these, in the order of the file.
  case rows(table: Int, key: [Expression])
  /// A group with only these columns of another.
  case columns([Int], of: Expression)
  /// The number of rows of a table.
  case rowCount(table: Int)
  /// The byte with this index.
  case byte(of: Expression, at: Expression)
  /// A column of a row of a group, by the row's index.
  case groupCell(group: Expression, row: Expression, column: Int, ValueType)
  case conditional(Expression, then: Expression, else: Expression)
  /// A number as bytes.
  case encoded(FieldEncoding, Expression)
  /// The number in bytes from an index on.
  case decoded(FieldEncoding, of: Expression, at: Expression)
  /// The bytes of a message with these values of its fields; nil: the field is absent.
  case message(MessageReference, [Expression?])
  /// The value of a checksum over bytes, continued from its value over the bytes before them.
  case checksum(Checksum, of: Expression, after: Expression?)
  /// A random whole number from one to another; `site` distinguishes the places in one text.
  case random(Expression, Expression, site: Int)
  /// As many random bytes.
  case randomBytes(Expression, site: Int)

  /// The first argument is the name of a setting, as a text.
  package enum SettingQuestion: String, CaseIterable, Sendable {
    /// Its value as a text; empty if there is no such setting.
    case value = "setting"
    case exists = "has-setting"
    /// Whether a setting with this name can have the value of a second text.
    case takes = "can-set"
  }

  package enum UnaryOperator: String, Sendable {
    case negate = "-"
    case not
  }

  package enum BinaryOperator: String, Sendable {
    case add = "+", subtract = "-", multiply = "*", divide = "/", divideWhole = "//", remainder = "%"
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case bitAnd = "&", bitOr = "|", bitXor = "^", shiftLeft = "<<", shiftRight = ">>"
    case and, or
  }

  package enum Function: String, CaseIterable, Sendable {
    case ceil, floor, round, abs, min, max, hex, size, slice
    case upper, lower, text, number, bytes, contains
    case startsWith = "starts-with"
    /// Of seconds since 1970, UTC; and those of a date and time.
    case year, month, day, hour, minute, second, weekday, yearday, time
    /// Seconds since 1970 as a clock in a time zone shows them.
    case localTime = "local-time"
    /// Of an angle in radians.
    case sin, cos
    case find, replace, utf8, xor, reverse, fill, patch
    /// The escapes of SLIP (RFC 1055), and those of protocols such as HDLC.
    case slip, unslip, escape, unescape
    case base64, fromBase64 = "from-base64"
  }
}

/// Values with a predefined name.
package enum KnownValue: String, CaseIterable, Sendable {
  /// The device's address, 6 bytes, most significant first.
  case address
  /// The adapter's, likewise; only where the device's address is decided.
  case adapter
  /// The number of an advertiser of a crowd, from 1 up; only in the advertisement of one.
  case advertiser
  /// The state's name.
  case state
  /// The number of connected centrals.
  case centrals
  /// The address of the event's central, 6 bytes; empty if there is none.
  case central
  /// Whether the link to that central is encrypted; false if there is none.
  case encrypted
  /// The ATT_MTU of that link, bytes; the default if there is none.
  case mtu
  /// The Long Term Key of the bond with that central, 16 bytes, most significant first; empty if its link is not encrypted or there is
  /// none.
  case longTermKey = "ltk"
  /// Milliseconds since the device's start or reset.
  case uptime
  /// Seconds since 1970.
  case unixTime = "unix-time"
  /// The place of the received frame: the id of a characteristic, or `wire`.
  case origin
  /// The received frame, or the written value.
  case frame
  case value
  /// The bytes that a checksum of the definition covers; only in its expression.
  case bytes
  /// The offset of a part of a long write.
  case offset
  /// Why a link has ended, by the name of the HCI error; ``unknownReason`` if the transport does not know. Also why the parameters
  /// of a link were refused, or its encryption failed.
  case reason
  /// The new parameters of a link: the interval in milliseconds, the latency, the supervision timeout in milliseconds.
  case interval, latency, timeout
  /// The new PHY of a link, by the ``PHY/word``: that of the device's packets, and that of the central's.
  case tx, rx

  package var type: ValueType {
    switch self {
    case .address, .adapter, .central, .longTermKey, .frame, .value, .bytes: .bytes
    case .state, .origin, .reason, .tx, .rx: .text
    case .advertiser, .centrals, .mtu, .uptime, .unixTime, .offset, .latency, .timeout: .integer
    case .interval: .decimal
    case .encrypted: .boolean
    }
  }

  /// The values that every expression may use.
  package static let everywhere: [Self] = [
    .address, .state, .centrals, .central, .encrypted, .mtu, .longTermKey, .uptime, .unixTime,
  ]

  /// The values of the link to the rule's central.
  package static let ofLink: [Self] = [.encrypted, .mtu, .longTermKey]

  /// The values of an event that is about the parameters of a link.
  package static let ofParameters: [Self] = [.interval, .latency, .timeout]

  /// The values of an event that is about the PHY of a link.
  package static let ofPHY: [Self] = [.tx, .rx]

  /// Whether a definition may give this name to something of its own, because the language did not always have this value.
  package var canBeHidden: Bool {
    (Self.ofLink + Self.ofParameters + Self.ofPHY + [.reason, .adapter, .advertiser, .bytes]).contains(self)
  }

  package static let unknownReason = "unknown"
}

import Bluetooth

extension FuzzTarget {
  /// Two devices that pair, and all that can happen to what they send and to their controllers (``SecurityStep``).
  static let security = FuzzTarget(
    name: "security",
    run: { bytes in
      var input = FuzzInput(bytes)
      var harness = SecurityHarness(central: input.policy(), peripheral: input.policy())
      var count = 0
      // Each pairing costs four multiplications of points.
      while let step = input.securityStep(), count < 300 {
        try harness.take(step)
        count += 1
      }
      try harness.finish()
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      var lines = ["central: \(input.policy())", "peripheral: \(input.policy())"]
      while let step = input.securityStep() { lines.append("\(step)") }
      return lines.joined(separator: "\n")
    })
}

/// What happens to two devices. Sides are numbers: 0 is the central, 1 the peripheral.
enum SecurityStep {
  /// A device begins to pair.
  case pairs(Int)
  /// It gets the next PDU of the other one, changed in one byte.
  case gets(Int, changed: Change?)
  /// The next PDU for it is lost.
  case loses(Int)
  /// The next PDU for it comes twice.
  case doubles(Int)
  /// It gets a PDU that the other one has not sent.
  case hears(Int, [UInt8])
  /// It encrypts the link with a kept key.
  case encrypts(Int)
  /// The controllers do what the central's was told last.
  case runsEncryption
  /// Its controller says that encryption has begun, has ended or has failed.
  case encryption(Int, isOn: Bool?)
  /// Its controller asks for a key that is not that of the pairing, or for it.
  case asksForKey(UInt8)
  case enters(Int, passkey: UInt32?)
  case confirms(Int, Bool)
  case cancels(Int)
  case waits(seconds: Int)
  /// Nothing is lost or changed until nothing happens any more, and persons answer.
  case settles

  struct Change { var place: Int, difference: UInt8 }
}

extension FuzzInput {
  /// A policy: capability, Secure Connections, and bits: 1 no bond, 2 a fixed passkey, 4 authentication is required, 8 keys of 7
  /// bytes, 16 debug keys.
  mutating func policy() -> PairingPolicy {
    var policy = PairingPolicy()
    policy.capability = element(of: IOCapability.allCases) ?? .noInputNoOutput
    policy.secureConnections = element(of: PairingPolicy.SecureConnections.allCases) ?? .allowed
    let bits = number(below: 32)
    policy.bonds = bits & 1 == 0
    policy.passkey = bits & 2 == 0 ? nil : 271_828
    policy.requiresAuthentication = bits & 4 != 0
    policy.maximumKeySize = bits & 8 == 0 ? 16 : 7
    policy.usesDebugKeys = bits & 16 != 0
    return policy
  }

  /// Reads a step: a letter, and mostly a side. Any other byte also selects one of these. nil: the input is used up.
  mutating func securityStep() -> SecurityStep? { byte().map { securityStep(of: $0) } }

  private mutating func securityStep(of kind: UInt8) -> SecurityStep {
    switch kind {
    case UInt8(ascii: "p"): .pairs(side())
    case UInt8(ascii: ">"): .gets(side(), changed: nil)
    case UInt8(ascii: "x"):
      .gets(side(), changed: .init(place: number(below: 65), difference: byte() ?? 1))
    case UInt8(ascii: "l"): .loses(side())
    case UInt8(ascii: "d"): .doubles(side())
    case UInt8(ascii: "i"): .hears(side(), [UInt8(number(below: 16))] + bytes(number(below: 65)))
    case UInt8(ascii: "e"): .encrypts(side())
    case UInt8(ascii: "r"): .runsEncryption
    case UInt8(ascii: "E"): .encryption(side(), isOn: element(of: [true, false, nil]) ?? nil)
    case UInt8(ascii: "k"): .asksForKey(UInt8(number(below: 2)))
    case UInt8(ascii: "n"): .enters(side(), passkey: element(of: [271_828, 1, nil, 1_000_000]) ?? nil)
    case UInt8(ascii: "c"): .confirms(side(), number(below: 2) == 1)
    case UInt8(ascii: "C"): .cancels(side())
    case UInt8(ascii: "w"): .waits(seconds: number(below: 32))
    case UInt8(ascii: "s"): .settles
    default: securityStep(of: Self.securityKinds[Int(kind) % Self.securityKinds.count])
    }
  }

  private static let securityKinds = Array("p>x>l>di>e>rEknc>Cw>>".utf8)

  private mutating func side() -> Int { number(below: 2) }
}

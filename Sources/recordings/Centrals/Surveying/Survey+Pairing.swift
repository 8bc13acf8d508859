import Bluetooth
import EventLoop
import Exact
import SecurityManager

extension Survey {
  func watchSecurity(of link: BegunLink) {
    link.onSecurity = { [weak self] action in
      if case .requestedSecurity = action { self?.isAskedForSecurity = true }
    }
  }

  /// Pairs without keeping keys, and then asks again for what was refused before.
  func pair(_ conversation: SurveyedLink) async {
    onProgress?(.pairing)
    let failure = await plan.pairing.pair(conversation, askPasskey: askPasskey)
    watchSecurity(of: conversation.link)
    guard conversation.link.security.isEncrypted else { return remarks.append(.notPaired(failure)) }
    askAgain()
  }

  private func askAgain() {
    steps += attributes.unreadable.sorted().map { .read($0) }
    steps += attributes.unwritable.sorted().map { .tryWrite($0) }
    if !attributes.unsubscribed.isEmpty { steps.append(.subscribe(attributes.unsubscribed)) }
  }

  /// The attributes that were refused for want of security to the last.
  var stillRefused: [AttributeHandle] {
    attributes.unreadable.union(attributes.unwritable).union(attributes.unsubscribed.keys).sorted()
  }
}

extension SurveyPlan.Pairing {
  /// Pairs a device in this way, without keeping keys.
  ///
  /// - Parameter askPasskey: asks a person for the passkey that the device shows; nil: the person does not know it.
  /// - Returns: why it has failed; nil: it has not, or the link has ended.
  @EventLoop
  func pair(
    _ conversation: SurveyedLink, askPasskey: (@EventLoop () async -> UInt32?)?
  ) async -> PairingFailure? {
    let link = conversation.link
    let end = Promise<Void>()
    var failure: PairingFailure?
    link.onSecurity = { [weak link] action in
      switch action {
      case .askPasskey: if let link { enterPasskey(link, askPasskey) }
      case .compare: link?.changeSecurity { $0.confirm(true, at: $1) }
      case .paired: end.fulfil()
      case .failed(let reason, _):
        failure = reason
        end.fulfil()
      default: break
      }
    }
    let onDisconnect = conversation.client.onDisconnect
    conversation.client.onDisconnect = {
      onDisconnect?($0)
      end.fulfil()
    }
    link.changeSecurity { [policy] manager, now in
      manager.policy = policy
      return manager.pair(at: now)
    }
    await end.value()
    conversation.client.onDisconnect = onDisconnect
    return failure
  }

  /// A person who is to enter a passkey has a keyboard.
  private var policy: PairingPolicy {
    var policy = PairingPolicy()
    policy.bonds = false
    if case .passkey(let passkey) = self { (policy.capability, policy.passkey) = (.keyboardDisplay, passkey) }
    return policy
  }

  @EventLoop
  private func enterPasskey(_ link: BegunLink, _ askPasskey: (@EventLoop () async -> UInt32?)?) {
    EventLoop.start { [weak link] in
      var passkey: UInt32?
      if case .passkey(let known?) = self { passkey = known } else { passkey = await askPasskey?() }
      link?.changeSecurity { $0.enter(passkey: passkey, at: $1) }
    }
  }
}

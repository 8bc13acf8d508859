extension HCIEvent {
  /// The link whose central wants to encrypt it with a key that this machine does not have: the kernel has given the controller
  /// LE Long Term Key Request Negative Reply (Vol 4 Part E 7.8.25). A program without `CAP_NET_RAW` learns only that this was done.
  package var linkWithoutKey: LinkHandle? {
    switch self {
    case .given(let command) where command.opcode == .refuseLongTermKey:
      var fields = EventFields(command.parameters)
      return fields.handle()
    case .completed(.refuseLongTermKey, let parameters):
      var fields = EventFields(parameters)
      return fields.byte() == 0 ? fields.handle() : nil
    default: return nil
    }
  }
}

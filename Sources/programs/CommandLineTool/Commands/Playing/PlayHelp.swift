import DeviceModel

/// The help texts of the prompt.
enum PlayHelp {
  static let greeting = "You are the central. Type 'help' for the commands, 'quit' to end.\n"

  static func text(for definition: PeripheralDefinition) -> String {
    var text = """
      connect [mtu=185]        disconnect [reason=NAME]
      connect as phone         connect from a private address, another one each time
      connect raw              connect, and exchange ATT PDUs:
      >> 0A 03 00              send a PDU
      pair [passkey=DIGITS]    bond (pair, and keep the keys)
      unpair                   forget the device: disconnect, and lose the keys
      lose keys                lose the keys, and stay connected
      as NAME LINE             another central does this, as in as B connect
      subscribe ID             unsubscribe ID
      > ID VALUE               write (>! as a write command, >? as a write request)
      read ID
      ] wire VALUE             send bytes into the wire side
      +500ms  +5s  +           wait (+ alone: until the next output)
      set NAME=VALUE           change a setting; before the first action, the device restarts with it
      press CONTROL[=VALUE]    press a button, turn a switch or set another control
      reset                    reset the device
      forget                   let the device forget its bonds
      advertise on             start advertising (off: stop)
      fault FAULT              add a fault, as in fault drop out on ID every 3rd
      no faults                remove all faults; no fault FAULT removes one
      * CONDITION              check the condition, and show its values
      < ID VALUE               check that the device has sent this value, or sends it within 5 s
                               (other lines of transcripts likewise: [ wire, =, !, * "LOG", advertises, …)
      == TITLE                 reset the device and begin a new section of the recording
      quit

      Tab completes commands, ids, messages and fields. Ctrl-C discards the line; twice on an empty line, it ends.
      VALUE is hex (A5 06), text ("AT\\r\\n"), or a message with its fields (NAME field=5).


      """
    text += "characteristics: \(definition.characteristics.map(\.id).joined(separator: ", "))\n"
    if !definition.controls.isEmpty {
      text += "controls: \(definition.controls.map(\.name).joined(separator: ", "))\n"
    }
    for message in definition.namedMessages {
      let fields = message.fields.map { "\($0.name)=…" }.joined(separator: " ")
      text += "message: \(message.name) \(fields)\n"
    }
    return text
  }
}

/// The lamp that a definition begins with.
extension Starter {
  /// A name that leaves room in the scan response.
  private static let localNameSize = 20

  var definition: String {
    """
    # A lamp that a phone switches on and off. Every line is an example: change it, and run 'blemu check \(name).yaml'.
    blemu: 1                                  # the version of the language
    name: \(quoted(title))
    summary: Lamp that a central switches on and off

    # Values that may differ from run to run: blemu run \(name).yaml --set local-name=Demo
    settings:
      local-name: { type: text, max: \(Self.localNameSize), default: \(quoted(localName(of: Self.localNameSize))) }

    # What the device remembers while it runs. Its face, \(name).svg, shows it on the page of 'blemu web'.
    variables:
      is-on: { type: boolean, default: false }

    # Values that change by themselves: the battery is empty after two hours.
    generators:
      battery-level: { shape: ramp, from: 100, to: 0, over: 120min }

    # What the device sends to everybody in range. 'blemu show \(name).yaml' draws the packets.
    advertisement:
      local-name: "{local-name}"              # a hole: the value of the setting
      services: [FFE0]

    # What a central finds after it has connected.
    services:
      - uuid: FFE0
        characteristics:
          - { id: switch, uuid: FFE1, properties: [read, write, notify], value: "00" }
      - uuid: 180F                            # Battery Service, as the Bluetooth SIG defines it
        characteristics:
          - { id: battery, uuid: 2A19, properties: [read], value: "64" }

    # Names for bytes: 'turn state=1' is 01.
    messages:
      turn: "{state: u8}"
      level: "{battery-level: u8}"            # a hole may be a generator

    # What the device does. The first rule that matches an event fires.
    rules:
      - on: { write: switch }                 # before the value is stored
        if: value.size != 1 or value[0] > 1
        do: { refuse: 0x80 }                  # the central gets this ATT error
      - on: { receive: turn }
        do:
          - { set: { is-on: state == 1 } }
          - { send: turn }                    # the lamp confirms: it notifies 'switch'
          - { log: "the lamp is now {if(is-on, 'on', 'off')}" }
      - on: { read: battery }
        do: { respond: level }                # instead of the value above

    # What a person at the lamp can do: 'press button' in 'blemu play \(name).yaml'.
    controls:
      button:
        do:
          - { set: { is-on: not is-on } }
          - { send: turn, with: { state: "if(is-on, 1, 0)" } }

    """
  }

  var transcript: String {
    """
    # How conversations with the device should go: blemu test \(name).yaml
    # '>' is what the central writes, '<' what the device sends. A section fails when anything else is sent.

    == It is found
    advertises local-name="\(localName(of: Self.localNameSize))" services=FFE0
    connect
    finds FFE0/FFE1 180F/2A19

    == A central turns the lamp on
    connect
    subscribe switch
    > switch  turn state=1                # the bytes 01
    < switch  turn state=1
    read switch
    = 01

    == Somebody presses the button
    connect
    subscribe switch
    press button
    < switch  turn state=1
    * is-on
    press button
    < switch  turn state=0

    == Any other value is refused
    connect
    > switch  02
    ! 0x80
    read switch
    = 00

    == The battery is half empty after an hour
    memory-only                           # there, an hour passes at once
    connect
    read battery
    = 64                                  # 100 %
    wait 60min
    read battery
    = 32

    """
  }
}

import Testing

@testable import CommandLineTool

@Suite struct HelpTests {
  @Test func `the overview lists every command`() {
    #expect(
      Help.overview == """
        blemu puts Bluetooth LE peripherals on the air that do not exist.

        usage: blemu COMMAND …

          run DEFINITION        put a peripheral on the air
          check DEFINITION…     say every mistake in definition files
          show DEFINITION       show what a central will see
          play DEFINITION       talk to a peripheral in the terminal, without Bluetooth
          test [PATH…]          hold the conversations that transcripts describe
          list                  list the bundled definitions
          schema                print a JSON Schema of definition files, for editors
          help [COMMAND]        explain a command
          version               print the version

        A DEFINITION is a file, a folder that holds one, or the name of a bundled one.
        'blemu help COMMAND' lists the command's options.

        """)
  }

  @Test func `a command's help lists its options`() {
    #expect(
      Help.text(for: .run) == """
        usage: blemu run DEFINITION [OPTIONS]

        put a peripheral on the air

          --on bluez[:ADAPTER]    the adapter, as hci0 or by its address; unless said, the first that can be a peripheral
          --pty PATH              the serial side as a pseudo-terminal, linked at PATH
          --exec PROGRAM [ARGUMENT…]  the serial side as a program's standard input and output; what it says on standard error is logged
          --restart WHEN          when that program is started again: never, on-failure (unless said) or always
          --tcp [HOST:]PORT       the serial side as a TCP socket that one peer at a time connects to; on loopback unless said
          --serial DEVICE[:BAUD]  the serial side as a serial port; its speed is the definition's, or 9600, unless said
          --stdio                 the serial side as standard input and output; the log goes to standard error
          --set NAME=VALUE        another value for a setting of the definition; may be repeated
          --state FILE            keep settings that rules change in this file, for the next run; --set wins over it
          --seed NUMBER           what random values depend on; the same number gives the same values
          --log text|json         how traffic is shown; json is one object a line

        All words behind '--exec' are the program's, up to a '--' or the end: blemu run hm-10 --exec python3 -u robot.py
        One of --pty, --exec, --tcp, --serial and --stdio at a time; who stands there may go and come back.

        """)
    #expect(
      Help.text(for: .check) == """
        usage: blemu check DEFINITION… [OPTIONS]

        say every mistake in definition files

          --format text|json      how mistakes are shown; json is one object a line, on standard output

        """)
  }

  @Test func `the help of test says what a path can be`() {
    #expect(
      Help.text(for: .test) == """
        usage: blemu test [PATH…] [OPTIONS]

        hold the conversations that transcripts describe

          --on PLACE              loopback: in memory, where time passes at once (unless said otherwise); bluez[:ADAPTER]: on the air
          --central bluez:ADAPTER  the central's adapter, with --on bluez
          --set NAME=VALUE        another value for a setting of the definition; may be repeated
          --report FILE           the results as JUnit XML, for build servers

        A PATH is a transcript, a definition, a folder of them, or the name of a bundled definition;
        without one all bundled definitions are tested.

        """)
  }
}

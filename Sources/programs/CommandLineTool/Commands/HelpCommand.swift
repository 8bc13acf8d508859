import Glibc

extension Command {
  static let help = Command(
    "help", .program, arguments: "[COMMAND|PAGE [SECTION]]", words: .commandsAndPages,
    summary: "Explains a command, or shows a page of the documentation.",
    options: [
      Option("-k", takes: "WORD…", "finds the sections, commands and devices that mention all these words"),
      Option("--no-pager", "prints a page at once"),
    ],
    notes: [
      "A PAGE is a chapter of the language, a page of the guide or about Python, or the README of a bundled device. "
        + "'blemu help language', 'blemu help guide', 'blemu help python' and 'blemu help peripherals' list them. "
        + "If only one page has a section of this name, the SECTION is enough, as in 'blemu help framing'.",
      "On a terminal, a page opens in the pager: the program in the variable PAGER, by default less.",
    ],
    examples: [
      Example("blemu help run", "lists the options of 'run'; so does 'blemu run --help'"),
      Example("blemu help transcripts", "shows how to write a transcript"),
      Example("blemu help faults distance", "shows a section of a page"),
      Example(
        "blemu help -k checksum",
        "lists the sections that mention 'checksum', each with the command that opens it"),
    ]
  ) { arguments throws(CommandError) in
    try HelpCommand(arguments).run()
  }
}

/// `blemu help`
struct HelpCommand {
  private let words: [String]
  private let isSearch: Bool
  private let isPaged: Bool

  init(_ arguments: Arguments) {
    isSearch = arguments["-k"] != nil
    words = arguments.all("-k") + arguments.positional
    isPaged = arguments["--no-pager"] == nil
  }

  func run() throws(CommandError) -> ExitStatus {
    let help = Help(for: STDOUT_FILENO)
    if words.isEmpty {
      Terminal.print(help.overview)
    } else if !isSearch, words.count == 1, let command = Command.named(words[0]) {
      let pages = HelpPages.ofThisProgram?.named(words[0]) ?? []
      Terminal.print(help.text(for: command) + help.pointers(to: pages))
    } else {
      let text = try page(help, .installed())
      if isPaged { Pager.show(text) } else { Terminal.print(text) }
    }
    return .success
  }

  private func page(_ help: Help, _ pages: HelpPages) throws(CommandError) -> String {
    if isSearch { return try HelpSearch(words, in: pages).text(width: help.width) }
    return help.text(try pages.text(at: HelpAddress(words)), of: pages)
  }
}

extension AccessCheck.Refusal {
  var answer: HTTPAnswer {
    switch self {
    case .method:
      HTTPAnswer(
        status: 405, headers: ["Allow": "GET, HEAD", "Cache-Control": "no-store"],
        body: Array("only GET is possible\n".utf8))
    case .host:
      Self.page(
        "Wrong address",
        "This server does not have this name. Open the address that <code>blemu web</code> has printed.")
    case .origin: Self.page("Not from here", "A page from elsewhere has asked for this.")
    case .token:
      Self.page(
        "Open the address from the terminal",
        "Open the address that <code>blemu web</code> has printed. It contains a token that lets this browser in. "
          + "If you have just opened it from another page, <a href=\"/\">go on here</a>.")
    }
  }

  private static func page(_ title: String, _ text: String) -> HTTPAnswer {
    let page = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark">
      <title>\(title) – blemu</title>
      <h1>\(title)</h1>
      <p>\(text)</p>
      </html>

      """
    return HTTPAnswer(
      status: 403, headers: HTTPAnswer.notStored, type: "text/html; charset=utf-8", body: Array(page.utf8))
  }
}

extension AccessCheck.Refusal {
  var answer: HTTPAnswer {
    switch self {
    case .host:
      Self.page(
        "Wrong address",
        "This server does not have this name. Open the address that <code>blemu web</code> has printed.")
    case .origin: Self.page("Not from here", "A page from elsewhere has asked for this.")
    case .token: .text(403, "this needs the token in the address that 'blemu web' has printed")
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

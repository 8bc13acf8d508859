import Framing
import Testing

@testable import CommandLineTool

/// Pages as a terminal shows them.
@Suite struct MarkdownPageTests {
  @Test func `a page has headings, paragraphs, lists, code and tables`() {
    let page = """
      # A [page](x.md#y)

      A paragraph of **two** lines
      with `code` and [a `link`](../z.md), in brackets [n].

      - an item, which
        goes on
      - another

      ```yaml
      name: X

        - y
      ```

      | key | meaning |
      |---|---|
      | `a` | the first \\| of two |
      | `much-longer-than-a-third` | the second |

      | function | meaning | example |
      |---|---|---|
      | `a-long-function(of, this)` | of two, which is long as well | `2` |
      | `b` | | |

      """
    #expect(
      MarkdownPage(width: 40).text(page) == """
        A page

        A paragraph of two lines with `code` and
        a `link`, in brackets [n].

        - an item, which goes on
        - another

            name: X

              - y

        key          meaning
        `a`          the first | of two
        `much-longer-than-a-third`
                     the second

        function
            meaning
            example
        `a-long-function(of, this)`
            of two, which is long as well
            `2`
        `b`

        """)
  }

  @Test func `a link has what opens its target, in one line, and pictures have no column`() {
    let page = """
      A longer text, and [a page](x.md#y).

      | | name | meaning |
      |---|---|---|
      | <img src="a.svg" alt=""> | [a](x.md) | [first](#a) |
      """
    let layout = MarkdownPage(width: 40) { $0.hasPrefix("x.md") ? "open the \($0)" : nil }
    #expect(
      layout.text(page) == """
        A longer text, and a page
        (open the x.md#y).

        name         meaning
        a (open the x.md)
                     first

        """)
  }

  @Test func `a page has sections, with the anchors of GitHub`() {
    let page =
      "# A `page`\n\nText\nof it.\n\n## One: two?\n\n```sh\n# no\n```\n### In it\n\n## One: two?\n\nx\n"
    let sections = PageSection.all(of: page)
    #expect(sections.map(\.anchor) == ["a-page", "one-two", "in-it", "one-two-1"])
    #expect(sections.map(\.level) == [1, 2, 3, 2])
    #expect(sections[1].whole(of: sections) == "## One: two?\n\n```sh\n# no\n```\n### In it\n")
    #expect(MarkdownPage.title(of: page) == "A `page`" && MarkdownPage.summary(of: page) == "Text of it.")
  }

  @Test func `headings are marked where there are colours`() {
    let text = MarkdownPage(width: 40, style: TextStyle(hasColors: true)).text("## X\n\ntext\n")
    #expect(text == "\u{1B}[1mX\u{1B}[0m\n\ntext\n")
  }
}

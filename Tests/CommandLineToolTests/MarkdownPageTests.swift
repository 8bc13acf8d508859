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

  @Test func `headings are marked where there are colours`() {
    let text = MarkdownPage(width: 40, style: TextStyle(hasColors: true)).text("## X\n\ntext\n")
    #expect(text == "\u{1B}[1mX\u{1B}[0m\n\ntext\n")
  }
}

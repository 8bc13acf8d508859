import Testing

@testable import Definitions

/// Mistakes in tables and their files.
@Suite struct DataMistakes {
  @Test func `a file outside the folder`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: ../history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        """) == """
          device.yaml:3:11: error: '../history.csv' is not in the definition's folder
              3 |     file: ../history.csv
                |           ^~~~~~~~~~~~~~ put the file beside the definition and write its name only
          """)
  }

  @Test func `a file that is not there, once`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { log: "{history[month, day].samples.size}" }
        """) == """
          device.yaml:3:11: error: cannot read 'history.csv': No such file or directory
              3 |     file: history.csv
                |           ^~~~~~~~~~~
          """)
  }

  @Test func `an empty file`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        """, files: ["history.csv": "# nothing yet\n"]) == """
          history.csv:1:1: error: the file is empty
              1 | # nothing yet
                | ^ month,day,samples
          """)
  }

  @Test func `a first line that does not name the columns`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        """, files: ["history.csv": "month,day\n1,2\n"]) == """
          history.csv:1:1: error: the first line must name the columns
              1 | month,day
                | ^~~~~~~~~ month,day,samples
          """)
  }

  @Test func `cells that are wrong, in their own file`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        """,
        files: ["history.csv": "month,day,samples\n1, 2, A5 06\n1, two, A5\n1, 3, A5 O6\n1, 4\n1, 2, 00\n"])
          == """
          history.csv:3:4: error: 'two' is not an integer
              3 | 1, two, A5
                |    ^~~

          history.csv:4:7: error: 'A5 O6' is not bytes
              4 | 1, 3, A5 O6
                |       ^~~~~

          history.csv:5:1: error: 2 cells for 3 columns
              5 | 1, 4
                | ^~~~ month,day,samples

          history.csv:6:1: error: a second row with this month, day
              6 | 1, 2, 00
                | ^~~~~~~~
          """)
  }

  @Test func `a key that is no column, once`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [monht, day]
        messages:
          day-request: "A5 06 03 {month: u8} {day: u8} {xor8}"
        rules:
          - on: { receive: day-request }
            do: { log: "{history[month, day].samples.size}" }
        """, files: ["history.csv": "month,day,samples\n1,2,A5\n1,3,A5\n"]) == """
          device.yaml:5:11: error: no column 'monht'
              5 |     key: [monht, day]
                |           ^~~~~ did you mean 'month'?
          """)
  }

  @Test func `a column of an unknown type, once`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: hex }
            key: [month, day]
        rules:
          - on: connect
            do: { log: "{history[1, 2].samples.size}" }
        """, files: ["history.csv": "month,day,samples\n1,2,A5\n"]) == """
          device.yaml:4:55: error: unknown word 'hex'
              4 |     columns: { month: integer, day: integer, samples: hex }
                |                                                       ^~~ known: integer, decimal, text, bytes, boolean
          """)
  }

  @Test func `a key without a column`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: []
        """, files: ["history.csv": "month,day,samples\n"]) == """
          device.yaml:5:10: error: a key has at least one column
              5 |     key: []
                |          ^~ a table without a key has no 'key:'
          """)
  }

  @Test func `wrong ways into a table`() {
    #expect(
      diagnose(
        """
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        rules:
          - { on: connect, if: history == 1, do: { log: "{history[1, 2]}" } }
          - { on: connect, if: "history[1].day == 2", do: { log: "{history[1, 'x'].day}" } }
          - { on: connect, if: "address[1].day == 2", do: { log: "{history[1, 2].year}" } }
        """, files: ["history.csv": "month,day,samples\n"]) == """
          device.yaml:7:24: error: 'history' is a table, not a value
              7 |   - { on: connect, if: history == 1, do: { log: "{history[1, 2]}" } }
                |                        ^~~~~~~ look up a cell: history[month, day].COLUMN

          device.yaml:7:51: error: a row is not a value
              7 |   - { on: connect, if: history == 1, do: { log: "{history[1, 2]}" } }
                |                                                   ^~~~~~~~~~~~~ add '.' and a column

          device.yaml:8:25: error: 'history' is looked up by month, day
              8 |   - { on: connect, if: "history[1].day == 2", do: { log: "{history[1, 'x'].day}" } }
                |                         ^~~~~~~~~~~~~~

          device.yaml:8:71: error: expected an integer, found text
              8 |   - { on: connect, if: "history[1].day == 2", do: { log: "{history[1, 'x'].day}" } }
                |                                                                       ^~~

          device.yaml:9:25: error: only a data table has rows
              9 |   - { on: connect, if: "address[1].day == 2", do: { log: "{history[1, 2].year}" } }
                |                         ^~~~~~~ known: history

          device.yaml:9:60: error: 'history' has no column 'year'
              9 |   - { on: connect, if: "address[1].day == 2", do: { log: "{history[1, 2].year}" } }
                |                                                            ^~~~~~~~~~~~~~~~~~ known: month, day, samples
          """)
  }

  @Test func `a table under the name of a setting`() {
    #expect(
      diagnose(
        """
        settings:
          history: { type: text, default: none }
        data:
          history:
            file: history.csv
            columns: { month: integer, day: integer, samples: bytes }
            key: [month, day]
        """, files: ["history.csv": "month,day,samples\n"]) == """
          device.yaml:4:3: error: 'history' is a name of a setting, too
              4 |   history:
                |   ^~~~~~~ choose another
          """)
  }

  @Test func `rows that are wrong`() {
    #expect(
      diagnose(
        """
        data:
          history:
            columns: { day: integer, warmth: decimal }
            key: [day]
            rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
        """) == """
          device.yaml:5:24: error: 'two' is not an integer
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                        ^~~

          device.yaml:5:29: error: '1e3' is not a decimal number
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                             ^~~

          device.yaml:5:35: error: 1 cells for 2 columns
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                                   ^~~ day,warmth

          device.yaml:5:40: error: expected a list, found '4'
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                                        ^ write [a, b], or '- ' lines

          device.yaml:5:47: error: expected text, found a list
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                                               ^~~

          device.yaml:5:53: error: a second row with this day
              5 |     rows: [[1, 36.6], [two, 1e3], [3], 4, [5, [6]], [1, 37]]
                |                                                     ^~~~~~~
          """)
  }

  @Test func `a file and rows, or neither`() {
    #expect(
      diagnose(
        """
        data:
          one: { columns: { day: integer }, rows: [[1]], file: days.csv }
          two: { columns: { day: integer } }
          three: { columns: {}, rows: [] }
        """, files: ["days.csv": "day\n1\n"]) == """
          device.yaml:2:56: error: both 'file' and 'rows'
              2 |   one: { columns: { day: integer }, rows: [[1]], file: days.csv }
                |                                                        ^ keep one

          device.yaml:3:8: error: where are the rows?
              3 |   two: { columns: { day: integer } }
                |        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~ 'file:' names a CSV file, 'rows:' has a list

          device.yaml:4:21: error: a table needs columns
              4 |   three: { columns: {}, rows: [] }
                |                     ^~ name: type
          """)
  }

  @Test func `two tables of one file tell its mistakes once`() {
    #expect(
      diagnose(
        """
        data:
          one: { columns: { day: integer }, file: days.csv }
          two: { columns: { day: integer }, file: days.csv }
        """, files: ["days.csv": "day\none\n"]) == """
          days.csv:2:1: error: 'one' is not an integer
              2 | one
                | ^~~
          """)
  }
}

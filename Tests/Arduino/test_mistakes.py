"""Error messages name the place of a mistake, and a remedy."""
from sketches import ECHO, SketchTest

# A program of a little more than this many bytes, which reaches the boot loader's part of the flash, or beyond its end.
PROGRAM_OF = """
    const byte big[{}] PROGMEM = {{ 1 }};
    void setup() {{ Serial.begin(pgm_read_byte(big + millis())); }}
    void loop() {{}}
"""


class Mistakes(SketchTest):
    def test_messages_have_the_lines_of_the_sketch(self):
        self.write(Two__Two_ino="int early() { return later(); }\nvoid setup() {}\nvoid loop() { early(); }\n",
                   Two__more_ino="\n\nint later() {\n  return 1\n}\n")
        more = self.folder / "Two/more.ino"
        self.assertRefused(65, f"{more}:5:1: error: expected", "arduino: Two does not compile", arguments=[more.parent])

    def test_messages_have_the_lines_where_prototypes_are(self):
        self.write(sketch_ino="void setup() {}\nvoid loop() { missing(); }\nvoid other() {\n  int a = \"b\";\n  nothing;\n}\n")
        sketch = self.folder / "sketch.ino"
        self.assertRefused(65, f"{sketch}:2:23: error:",
                           f"{sketch}:5:3: error:", arguments=[sketch])

    def test_an_undefined_function(self):
        self.write(sketch_ino="int absent();\nvoid setup() {\n  absent();\n}\nvoid loop() {}\n")
        sketch = self.folder / "sketch.ino"
        self.assertRefused(65, f"{sketch}:3: undefined reference to `absent()'", arguments=[sketch])

    def test_a_header_that_is_not_there(self):
        self.write(sketch_ino="\n#include <Servo9.h>\nvoid setup() {}\nvoid loop() {}\n")
        sketch = self.folder / "sketch.ino"
        self.assertRefused(65, f"{sketch}:2:20: fatal error: Servo9.h: No such file or directory",
                           "if Servo9.h belongs to a library, name its folder with --library", arguments=[sketch])

    def test_too_much_for_the_processor(self):
        self.write(sketch_ino="byte big[2000];\nvoid setup() { Serial.begin(9600); Serial.write(big, 2000); }\nvoid loop() { big[0]++; }\n",
                   long_ino=PROGRAM_OF.format(31_000), longer_ino=PROGRAM_OF.format(32_000))
        self.assertRefused(65, "of 32256 bytes of program memory", "and does not fit", arguments=[self.folder / "long.ino"])
        self.assertRefused(65, "longer does not fit: it needs more than 32256 bytes of program memory",
                           arguments=[self.folder / "longer.ino"])
        self.assertRefused(65, "sketch does not fit: it needs more than 2048 bytes of RAM", arguments=[self.folder / "sketch.ino"])

    def test_there_is_no_such_sketch(self):
        self.write(sub__a_ino=ECHO, sub__b_ino=ECHO, notes_txt="", empty__notes_txt="", sketch_ino=ECHO)
        for path, line in (("none.ino", "there is no sketch"), ("notes.txt", "is not a sketch; name an .ino file"),
                           ("empty", "has no .ino file"), ("sub", "has several sketches (a.ino, b.ino); name one")):
            with self.subTest(path):
                self.assertRefused(66, line, arguments=[self.folder / path])
        self.assertRefused(66, "there is no library", arguments=[self.folder / "sketch.ino", "--library", "none"])

    def test_typed_wrong(self):
        for arguments, line in (((), "no sketch"), (("a.ino", "b.ino"), "one sketch at a time"),
                                (("a.ino", "--uart"), "--uart needs a value"), (("a.ino", "--pin"), "unknown option '--pin'")):
            with self.subTest(arguments):
                self.assertRefused(64, line, "see tools/arduino --help", arguments=arguments)

    def test_there_is_no_such_line(self):
        self.write(sketch_ino=ECHO)
        sketch = self.folder / "sketch.ino"
        self.assertRefused(73, f"there is no {self.folder}/none; start the module first, in another terminal",
                           f"blemu run hm-10 --pty {self.folder}/none", arguments=[sketch, "--uart", self.folder / "none"])
        self.assertRefused(73, f"{sketch} is not a serial line", arguments=[sketch, "--uart", sketch])
        self.assertRefused(73, f"cannot open {self.folder}: Is a directory", arguments=[sketch, "--uart", self.folder])

"""tools/arduino compiles what the Arduino builder compiles."""
import os

from sketches import ECHO, SketchTest, arduino


class Compiling(SketchTest):
    def test_functions_are_used_before_they_are_defined(self):
        self.write(sketch_ino=r"""
            #include <avr/interrupt.h>
            volatile int count = 0;  // { "
            const char *text = R"(void wrong() { )";
            struct Early { int value; } early = { 3 };
            ISR(TIMER1_OVF_vect) { count++; }
            void setup() {
              Serial.begin(115200);
              Serial.println(add(early, 4) + twice(2) + *pointer());
              Serial.println(later());
            }
            void loop() {}
            int add(const struct Early &a, int b) { return a.value + b; }
            static inline int twice(int a)
            {
              return 2 * a;
            }
            int *pointer() __attribute__((noinline));
            int *pointer() { static int a = 30; return &a; }
            template <typename T> T same(T a) { return a; }
            #ifdef ESP32
            void IRAM_ATTR elsewhere(portMUX_TYPE *a) {}
            #endif
            struct Late { int value; Late(int a) : value(a) {} int get() { return value; } };
            Late make(int a) { return Late(a); }
            typedef struct { int value; } Later;
            void take(Later a) {}
            class Robot { public: Robot(int a); ~Robot(); int speed(); };
            Robot::Robot(int a) {}
            Robot::~Robot() {}
            int Robot::speed() { return 0; }
            int (*chosen(int a))(int) { return nullptr; }
            int withDefault(int a = 6) { return a; }
            namespace inner { int hidden() { return 0; } }
            int later() { return make(withDefault()).get() + inner::hidden(); }
        """)
        self.assertEqual(self.output(self.folder / "sketch.ino", b"6\r\n"), b"41\r\n6\r\n")

    def test_a_folder_is_one_sketch(self):
        folder = self.folder / "robot"
        self.write(
            robot__robot_ino="#include \"helper.h\"\nvoid setup() { Serial.begin(115200); Serial.println(speed() + helper() + deep()); }\n",
            robot__motion_ino="int speed() { return 1; }\nvoid loop() {}\n",
            robot__helper_h="int helper();\nextern \"C\" int deep();\n",
            robot__helper_cpp="#include \"helper.h\"\nint helper() { return 20; }\n",
            robot__src__deep_c="int deep(void) { return 300; }\n")
        for path in (folder, folder / "robot.ino"):
            self.assertEqual(self.output(path, b"\n"), b"321\r\n")

    def test_the_libraries_of_the_core_are_found(self):
        self.write(libraries_ino="""
            #include <EEPROM.h>
            #include <SoftwareSerial.h>
            #include <SPI.h>
            #include <Wire.h>
            SoftwareSerial other(10, 11);
            void setup() {
              Serial.begin(115200); SPI.begin(); Wire.begin(); other.begin(9600);
              EEPROM.write(7, 42);
              Serial.println(EEPROM.read(6) + EEPROM.read(7));  // 255: never written
            }
            void loop() {}
        """)
        self.assertEqual(self.output(self.folder / "libraries.ino", b"\n"), b"297\r\n")

    def test_a_library_of_ones_own(self):
        self.write(sketch_ino="#include <Mine.h>\nvoid setup() { Serial.begin(115200); Serial.println(mine()); }\nvoid loop() {}\n",
                   Mine__src__Mine_h="int mine();\n", Mine__src__Mine_cpp="#include <Mine.h>\nint mine() { return 5; }\n")
        self.assertEqual(self.output(self.folder / "sketch.ino", b"\n", "--library", self.folder / "Mine"), b"5\r\n")

    def test_what_has_not_changed_is_not_compiled_again(self):
        self.write(sketch_ino=ECHO)
        first, second = (arduino(self.folder / "sketch.ino", "--compile") for _ in range(2))
        self.assertRegex(first.stderr, r"sketch takes \d+ of 32256 bytes of program memory and \d+ of 2048 bytes of RAM")
        self.assertEqual((second.stdout, second.stderr), (first.stdout, ""))
        self.assertTrue(os.path.exists(first.stdout.strip()))

    def test_a_header_that_changes_makes_the_program_anew(self):
        self.write(sketch_ino="#include \"deep/answer.h\"\nvoid setup() { Serial.begin(115200); Serial.println(ANSWER); }\nvoid loop() {}\n")
        for answer in (b"5", b"6"):
            self.write(deep__answer_h=f"#define ANSWER {answer.decode()}\n")
            self.assertEqual(self.output(self.folder / "sketch.ino", b"\n"), answer + b"\r\n")

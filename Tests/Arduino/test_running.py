"""A running sketch and its serial line."""
import subprocess
import time

from sketches import ECHO, PATIENCE, TOOL, FarSide, SketchTest, arduino


class Running(SketchTest):
    def test_ten_thousand_bytes_each_way(self):
        self.write(echo_ino=ECHO)
        data = bytes(value * 7 % 256 for value in range(10_000))
        with self.at_a_line(self.folder / "echo.ino") as (far, _):
            far.write_meanwhile(data)
            self.assertEqual(far.read(len(data)), data)

    def test_the_sketch_waits_while_nothing_reads_its_output(self):
        self.write(count_ino="""
            void setup() { Serial.begin(1000000); for (long i = 0; i < 20000; i++) Serial.println(i); }
            void loop() {}
        """)
        with self.at_a_line(self.folder / "count.ino") as (far, process):
            # More than a pseudo-terminal holds: tools/arduino reports it after a while, and the sketch continues once the test reads.
            while "nothing reads the sketch's output" not in process.stderr.readline():
                self.assertIsNone(process.poll())
            expected = b"".join(b"%d\r\n" % number for number in range(20_000))
            self.assertEqual(far.read(len(expected)), expected)

    def test_a_sketch_without_a_uart_loses_nothing_before_it_opens_it(self):
        self.write(late_ino="void setup() { delay(500); Serial.begin(9600); }\n" + "void loop() { if (Serial.available()) Serial.write(Serial.read()); }\n")
        with self.at_a_line(self.folder / "late.ino") as (far, _):
            far.write_meanwhile(b"early")
            self.assertEqual(far.read(5), b"early")

    def test_it_waits_for_a_line_that_comes(self):
        self.write(hello_ino="void setup() { Serial.begin(9600); Serial.print(\"hello\"); }\nvoid loop() {}\n")
        path = self.folder / "later"
        process = subprocess.Popen([TOOL, self.folder / "hello.ino", "--uart", path], stderr=subprocess.PIPE, text=True)
        while f"waiting for {path}; blemu run hm-10 --pty {path} makes it" not in process.stderr.readline():
            self.assertIsNone(process.poll())
        far = FarSide(path)
        self.assertEqual(far.read(5), b"hello")
        far.close()
        self.assertIn(f"the other side of {path} is gone", process.communicate(timeout=PATIENCE)[1])
        self.assertEqual(process.returncode, 0)

    def test_it_is_not_faster_than_an_uno(self):
        self.write(clock_ino="void setup() { Serial.begin(9600); Serial.print('a'); delay(1000); Serial.print('b'); }\nvoid loop() {}\n")
        with self.at_a_line(self.folder / "clock.ino") as (far, _):
            far.read(1)
            began = time.monotonic()
            far.read(1)
            self.assertGreater(time.monotonic() - began, 0.95)

    def test_the_watchdog_starts_it_again(self):
        self.write(dog_ino="""
            #include <avr/wdt.h>
            void setup() { wdt_disable(); Serial.begin(9600); Serial.print("up "); Serial.flush(); wdt_enable(WDTO_60MS); }
            void loop() {}
        """)
        self.assertEqual(self.output(self.folder / "dog.ino", b"up up up "), b"up up up ")

    def test_sleep_ends_with_a_byte(self):
        self.write(sleeper_ino="""
            #include <avr/sleep.h>
            void setup() { Serial.begin(9600); set_sleep_mode(SLEEP_MODE_IDLE); }
            void loop() { sleep_mode(); while (Serial.available()) Serial.write(Serial.read() + 1); }
        """)
        with self.at_a_line(self.folder / "sleeper.ino") as (far, _):
            far.write_meanwhile(b"HAL")
            self.assertEqual(far.read(3), b"IBM")

    def test_pins_are_told(self):
        self.write(pins_ino="""
            void setup() { pinMode(5, INPUT_PULLUP); pinMode(A2, OUTPUT); digitalWrite(A2, HIGH); pinMode(13, OUTPUT);
              Serial.begin(9600); Serial.print(digitalRead(5)); digitalWrite(A2, digitalRead(6)); Serial.print('.'); }
            void loop() {}
        """)
        with self.at_a_line(self.folder / "pins.ino", "--pins") as (far, process):
            self.assertEqual(far.read(2), b"1.")
            process.terminate()
            told = [line.split("  ")[1] for line in process.communicate()[1].splitlines() if "pin" in line and "  " in line]
        self.assertEqual(told, ["pin A2 is HIGH", "pin A2 is LOW"])

    def test_an_output_can_interrupt(self):
        self.write(edges_ino="""
            volatile int edges = 0;
            void count() { edges++; }
            void setup() {
              Serial.begin(9600); pinMode(2, OUTPUT); attachInterrupt(digitalPinToInterrupt(2), count, FALLING);
              for (int i = 0; i < 200; i++) { digitalWrite(2, HIGH); digitalWrite(2, LOW); }
              detachInterrupt(digitalPinToInterrupt(2));
              for (int i = 0; i < 200; i++) { digitalWrite(2, HIGH); digitalWrite(2, LOW); }
              Serial.println(edges);
            }
            void loop() {}
        """)
        with self.at_a_line(self.folder / "edges.ino") as (far, process):
            self.assertEqual(far.read(5), b"200\r\n")
            process.terminate()
            self.assertNotIn("simavr", process.communicate()[1])

    def test_a_crash_is_told(self):
        self.write(crash_ino="void setup() { ((void (*)())0x3000)(); }\nvoid loop() {}\n")
        result = arduino(self.folder / "crash.ino")
        self.assertEqual(result.returncode, 1)
        self.assertIn("the sketch crashed", result.stderr)

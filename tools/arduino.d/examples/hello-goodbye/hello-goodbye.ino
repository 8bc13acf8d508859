// Says hello until a byte comes, then goodbye, once. `blemu run hello-goodbye` does the same with rules.
// Behind a module: blemu run hm-10 --pty hm10, and tools/arduino tools/arduino.d/examples/hello-goodbye --uart hm10

const unsigned long PERIOD = 300;  // milliseconds between two checks for a byte
bool isOver = false;

void setup() {
  Serial.begin(9600);
}

void loop() {
  if (isOver) return;
  if (Serial.available() == 0) {
    Serial.println("Hello world");
    delay(PERIOD);
  } else {
    sayGoodbye();
  }
}

// This sketch does not read the byte.
void sayGoodbye() {
  Serial.println("Goodbye world");
  isOver = true;
}

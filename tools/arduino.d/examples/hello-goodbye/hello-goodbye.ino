// Says hello until somebody answers, then goodbye, once. What `blemu run hello-goodbye` does by rules.
// Behind a module: blemu run hm-10 --pty hm10, and tools/arduino tools/arduino.d/examples/hello-goodbye --uart hm10

const unsigned long PERIOD = 300;  // milliseconds between two looks for a byte
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

// The byte stays where it is: this sketch does not read it.
void sayGoodbye() {
  Serial.println("Goodbye world");
  isOver = true;
}

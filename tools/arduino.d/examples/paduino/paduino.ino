// Switches its pins for an app: of every two bytes, the first is a pin and the second its level, 0 for LOW.
// `blemu run paduino` does the same with rules.
// Behind a module: blemu run hm-10 --pty hm10, and tools/arduino tools/arduino.d/examples/paduino --pins --uart hm10

const byte FIRST_PIN = 2, LAST_PIN = 13;  // 0 and 1 are the serial line
int pin = -1;                             // of the current pair; -1 between two pairs

void setup() {
  Serial.begin(9600);
  Serial.println("Arduino reset");
  for (byte each = FIRST_PIN; each <= LAST_PIN; each++) pinMode(each, OUTPUT);
  showThatItIsAlive();
}

void loop() {
  if (Serial.available() > 0) take(Serial.read());
  delay(10);
}

void showThatItIsAlive() {
  setLights(HIGH);
  delay(500);
  setLights(LOW);
  delay(500);
}

void setLights(byte level) {
  digitalWrite(12, level);
  digitalWrite(13, level);
}

void take(byte value) {
  if (pin < 0) {
    pin = value;
    return;
  }
  digitalWrite(pin, value == 0 ? LOW : HIGH);
  answer(pin, value);
  pin = -1;
}

void answer(int pin, byte value) {
  Serial.print("Set: ");
  Serial.print(pin);
  Serial.print(" to: ");
  Serial.println(value);
}

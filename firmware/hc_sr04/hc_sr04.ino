// Distance by ultrasound: HC-SR04 on an Arduino Uno, up to 2 m, 40 times per second.
//
//   HC-SR04   Uno
//   VCC       5V
//   Trig      3
//   Echo      2
//   GND       GND
#include <PolhodeLine.h>

const uint8_t TRIGGER = 3, ECHO = 2;
const uint16_t PERIOD = 25;             // [ms] long enough for an echo from 2 m to fade
const float HALF_SPEED = 0.1716;        // [mm/us] half the speed of sound at 20 degrees Celsius: there and back
const unsigned long LONGEST = 11700;    // [us] echo from 2 m
const float NEAREST = 20;               // [mm] nearer than this the sensor is still ringing

PolhodeLine line("hc-sr04", "1.0", PERIOD);

void setup()
{
    pinMode(TRIGGER, OUTPUT);
    pinMode(ECHO, INPUT);
    line.begin();
}

void loop()
{
    if (!line.isDue())
        return;
    Serial.flush();  // sending interrupts, and would shorten what is measured
    digitalWrite(TRIGGER, HIGH);
    delayMicroseconds(10);
    digitalWrite(TRIGGER, LOW);
    const unsigned long echo = pulseIn(ECHO, HIGH, LONGEST + 1000);  // it begins 0.5 ms after the trigger
    const float distance = HALF_SPEED * echo;
    if (echo == 0 || echo > LONGEST)
        line.nothing("far");
    else if (distance < NEAREST)
        line.nothing("near");
    else
        line.distance(distance);
}

// Distance by infrared light: Sharp GP2Y0A21YK0F on an Arduino Uno, 10 to 80 cm, 25 times per second.
//
//   GP2Y0A21   Uno
//   yellow     A0
//   black      GND
//   red        5V, with 10 uF from there to GND near the sensor
#include <PolhodeLine.h>

const uint8_t SIGNAL = A0;
const uint16_t PERIOD = 40;                      // [ms] the sensor has a new value every 38.3 ms
const uint8_t READINGS = 16;                     // in the mean of one measurement
const float VOLTS = 5.0 / 1024 / READINGS;       // per unit of their sum
const float FARTHEST = 800, NEAREST = 100;       // [mm]

PolhodeLine line("gp2y0a21", "1.0", PERIOD);

void setup()
{
    line.begin();
}

void loop()
{
    if (!line.isDue())
        return;
    uint16_t sum = 0;
    for (uint8_t k = 0; k < READINGS; k++)
        sum += analogRead(SIGNAL);
    // A power of the voltage follows the data sheet's curve to a few millimetres; calibration in the lab does the rest.
    const float distance = sum > 0 ? 279.0 * pow(VOLTS * sum, -1.2) : FARTHEST;
    if (distance >= FARTHEST)
        line.nothing("far");
    else if (distance < NEAREST)
        line.nothing("near");
    else
        line.distance(distance);
}

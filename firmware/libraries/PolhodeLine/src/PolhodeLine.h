// Distances as lines of text, version 1 (docs/serial.md):
//
//   H,1,hc-sr04,1.0,20*CC          greeting: version of the lines, sensor, version of the sketch, time between lines [ms]
//   D,17,1234,256.3,ok*CC          measurement: number, time [ms], distance [mm] or nothing, status
//
// CC is a CRC-8 of all before the star, in hexadecimal digits (polynomial 0x07, start 0). A '?' asks for the greeting.
#pragma once
#include <Arduino.h>

class PolhodeLine : public Print
{
public:
    PolhodeLine(const char *sensor, const char *version, uint16_t period)
        : sensor(sensor), version(version), period(period) {}

    void begin()
    {
        Serial.begin(115200);
        greet();
        due = millis();
    }

    // Whether it is time for the next measurement, one in each period; call it in every loop. It also answers requests.
    bool isDue()
    {
        while (Serial.available() > 0)
            if (Serial.read() == '?')
                greet();
        const unsigned long now = millis();
        if ((long)(now - due) < 0)
            return false;
        due += period;
        if ((long)(due - now) < period / 2)
            due = now + period;  // late: go on from here, and do not hurry
        return true;
    }

    void distance(float millimetres) { measurement(millimetres, "ok"); }

    // Nothing was measured: "far", "near" or "fault".
    void nothing(const char *status) { measurement(-1, status); }

    size_t write(uint8_t byte) override
    {
        crc ^= byte;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1;
        return Serial.write(byte);
    }

private:
    const char *sensor, *version;
    uint16_t period, number = 0;
    unsigned long due = 0;  // [ms] when the next measurement begins
    uint8_t crc = 0;

    void greet()
    {
        print("H,1,");
        print(sensor);
        print(',');
        print(version);
        print(',');
        print(period);
        end();
    }

    void measurement(float millimetres, const char *status)
    {
        print("D,");
        print(number++);
        print(',');
        print(millis());
        print(',');
        if (millimetres >= 0)
            print(millimetres, 1);
        print(',');
        print(status);
        end();
    }

    void end()
    {
        const char digits[] = "0123456789ABCDEF";
        const uint8_t sum = crc;
        Serial.write('*');
        Serial.write(digits[sum >> 4]);
        Serial.write(digits[sum & 15]);
        Serial.write("\r\n");
        crc = 0;
    }
};

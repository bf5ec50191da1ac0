/* An Arduino Uno in simavr with a distance sensor, for the tests: its serial port is a pty, whose name stands in the
 * line that begins with "port". A number on standard input is a new distance [mm], a negative one is nothing in sight.
 *
 * board SKETCH.elf hc_sr04 | gp2y0a21 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/parts/uart_pty.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define CLOCK 16000000
#define SLICE (CLOCK / 1000)  /* cycles between two looks at the wall clock */

static avr_t *avr;
static avr_irq_t *echo;
static double distance = 200.0;  /* [mm] */

static avr_cycle_count_t echo_ends(avr_t *of, avr_cycle_count_t when, void *nothing)
{
    (void)of, (void)when, (void)nothing;
    avr_raise_irq(echo, 0);
    return 0;
}

static avr_cycle_count_t echo_begins(avr_t *of, avr_cycle_count_t when, void *nothing)
{
    (void)when, (void)nothing;
    /* Without an obstacle a real sensor holds its line for 38 ms. */
    const double microseconds = distance < 0 ? 38000.0 : distance / 0.1716;
    avr_raise_irq(echo, 1);
    avr_cycle_timer_register_usec(of, (uint32_t)lround(microseconds), echo_ends, NULL);
    return 0;
}

static void triggered(avr_irq_t *irq, uint32_t value, void *nothing)
{
    (void)nothing;
    if (irq->value && !value)  /* the pulse ends */
        avr_cycle_timer_register_usec(avr, 450, echo_begins, NULL);
}

/* Volts of the infrared sensor: the inverse of what its data sheet's curve is in the sketch. */
static void show(void)
{
    const double volts = distance < 0 ? 0.3 : pow(distance / 279.0, -1 / 1.2);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)lround(1000 * fmin(volts, 3.1)));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Whether standard input is still open; what is behind it is heard. */
static int listens(void)
{
    static char line[64];
    static size_t length;
    char byte;
    ssize_t got;
    while ((got = read(0, &byte, 1)) == 1) {
        if (byte == '\n') {
            line[length] = 0;
            distance = atof(line);
            length = 0;
            show();
        } else if (length + 1 < sizeof line)
            line[length++] = byte;
    }
    return got < 0 && errno == EAGAIN;
}

int main(int count, char **words)
{
    elf_firmware_t firmware = {0};
    uart_pty_t port;
    uint32_t flags = 0;
    if (count != 3 || elf_read_firmware(words[1], &firmware) < 0)
        return 2;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = CLOCK;
    avr_load_firmware(avr, &firmware);
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~AVR_UART_FLAG_STDIO;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart_pty_init(avr, &port);
    uart_pty_connect(&port, '0');
    if (strcmp(words[2], "hc_sr04") == 0) {
        echo = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2);
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 3), triggered, NULL);
    }
    show();
    printf("port %s\n", port.pty.slavename);
    fflush(stdout);
    fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK);
    const double start = seconds();
    avr_cycle_count_t next = SLICE;
    while (listens()) {
        while (avr->cycle < next)
            if (avr_run(avr) >= cpu_Done)
                return 1;
        const double ahead = (double)avr->cycle / CLOCK - (seconds() - start);
        if (ahead > 0)
            usleep((useconds_t)(1e6 * ahead));
        next = avr->cycle + SLICE;
    }
    _exit(0);  /* the port's own thread does not end */
}

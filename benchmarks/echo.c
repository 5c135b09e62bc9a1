/* The least a bot can do in C: it reads the turn's number off the line and continues. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 17];

int main(void) {
    size_t kept = 0;
    if (write(1, "{\"type\":\"ready\"}\n", 17) != 17) return 1;
    for (;;) {
        ssize_t got = read(0, buffer + kept, sizeof buffer - kept);
        if (got <= 0) return 0;
        kept += (size_t)got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', (size_t)(buffer + kept - line)))) {
            if (!strncmp(line, "{\"type\":\"decide\",\"turn\":", 24)) {
                char out[96];
                int digits = (int)strspn(line + 24, "0123456789");
                int size = snprintf(out, sizeof out, "{\"type\":\"decision\",\"turn\":%.*s,\"action\":\"continue\"}\n", digits, line + 24);
                if (write(1, out, (size_t)size) != size) return 1;
            }
            line = end + 1;
        }
        kept = (size_t)(buffer + kept - line);
        memmove(buffer, line, kept);
    }
}

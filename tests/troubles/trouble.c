/* A bot that misbehaves on request, in C: no interpreter's buffering, signals or threads stand between it and the pipe.
 *
 * `trouble BEHAVIOUR`. It works on raw descriptors. Without misbehaviour it leaves once four cards lie face up, like
 * `scripted.py`; what strikes at a turn strikes at the third question.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 4, STRIKE = 3 };

static const char *behaviour;
static char line[1 << 17];
static size_t held;

static int is(const char *name) { return strcmp(behaviour, name) == 0; }

static void say(int fd, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(fd, text, size);
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd room = {.fd = fd, .events = POLLOUT};
            poll(&room, 1, -1);
            continue;
        }
        if (sent < 0)
            _exit(90);
        text += sent;
        size -= (size_t)sent;
    }
}

static void hang(void)
{
    for (;;)
        pause();
}

static void compute(long ms)
{
    struct timespec used;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

static void spin(void)
{
    for (volatile unsigned long n = 0;; n++)
        ;
}

/* The next line without its newline, or NULL at end of file. */
static char *hear(void)
{
    static char message[1 << 17];
    char *end;
    while ((end = memchr(line, '\n', held)) == NULL) {
        ssize_t got = read(0, line + held, sizeof line - held);
        if (got < 0 && errno == EAGAIN) {
            struct pollfd news = {.fd = 0, .events = POLLIN};
            poll(&news, 1, -1);
            continue;
        }
        if (got <= 0)
            return NULL;
        held += (size_t)got;
    }
    size_t size = (size_t)(end - line);
    memcpy(message, line, size);
    message[size] = '\0';
    held -= size + 1;
    memmove(line, end + 1, held);
    return message;
}

static long number(const char *message, const char *name)
{
    const char *place = strstr(message, name);
    return place == NULL ? -1 : strtol(place + strlen(name), NULL, 10);
}

static int cards(const char *message)
{
    const char *place = strstr(message, "\"path\":[");
    int found = 0;
    if (place == NULL)
        return 0;
    for (place += 8; *place != ']' && *place != '\0'; place++)
        found += *place == '"';
    return found / 2;
}

static size_t reply(char *text, long turn, const char *action)
{
    return (size_t)sprintf(text, "{\"type\":\"decision\",\"turn\":%ld,\"action\":\"%s\"}", turn, action);
}

/* Two forks and a session of its own: a daemon that holds every pipe, heeds no SIGTERM and no end of file. */
static void daemonize(int computes)
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        if (fork() != 0)
            _exit(0);
        if (computes)
            spin();
        hang();
    }
    waitpid(child, NULL, 0);
}

static void flood_stderr(size_t bytes)
{
    static char noise[4096];
    memset(noise, '!', sizeof noise);
    noise[sizeof noise - 1] = '\n';
    for (; bytes >= sizeof noise; bytes -= sizeof noise)
        say(2, noise, sizeof noise);
}

static void strike(const char *text, size_t size)
{
    struct timespec pause = {.tv_nsec = 2000000};
    if (is("dribbles a true answer")) {
        for (size_t at = 0;; at++) {
            say(1, at < size ? text + at : " ", 1);
            nanosleep(&pause, NULL);
        }
    } else if (is("answers without a newline and lives")) {
        say(1, text, size);
        hang();
    } else if (is("answers without a newline and exits")) {
        say(1, text, size);
        _exit(0);
    } else if (is("answers without a newline and closes output")) {
        say(1, text, size);
        close(1);
        hang();
    } else if (is("keeps its answer in a buffer")) {
        fwrite(text, 1, size, stdout);
        fputc('\n', stdout);
        hang();
    } else if (is("line without end")) {
        for (;;)
            say(1, "0123456789abcdef", 16);
    } else if (is("closes output")) {
        close(1);
        hang();
    } else if (is("closes all three")) {
        close(0);
        close(1);
        close(2);
        hang();
    } else if (is("crashes by a bad address")) {
        *(volatile int *)8 = 1;
    } else if (is("crashes by a division by zero")) {
        raise(SIGFPE);
    } else if (is("aborts")) {
        say(2, "assertion failed: pocket >= 0\n", 30);
        abort();
    } else if (is("crashes in a flood of words")) {
        flood_stderr(1 << 20);
        say(2, "the last words\n", 15);
        _exit(3);
    } else if (is("kills its own session")) {
        kill(0, SIGKILL);
    } else if (is("exits and leaves a daemon that holds its pipes")) {
        daemonize(0);
        _exit(5);
    } else if (is("computes in a daemon")) {
        daemonize(1);
        hang();
    } else if (is("sleeps")) {
        hang();
    }
}

int main(int count, char **words)
{
    char text[256], *message;
    long asked = 0;
    behaviour = count > 1 ? words[1] : "good";
    if (is("silent"))
        hang();
    if (is("silent and deaf")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL);
        hang();
    }
    if (is("makes its pipes non-blocking"))
        for (int fd = 0; fd < 3; fd++)
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    if (is("heeds no signal")) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGPIPE, SIG_IGN);
    }
    if (is("daemon from the start"))
        daemonize(0);
    if (is("ready in pieces")) {
        say(1, "{\"type\"", 7);
        say(1, ":\"ready\"}", 9);
        say(1, "\r\n", 2);
    } else {
        say(1, "{\"type\":\"ready\"}\n", 17);
    }
    while ((message = hear()) != NULL) {
        if (strstr(message, "{\"type\":\"decide\"") != message)
            continue;
        long turn = number(message, "\"turn\":");
        const char *action = cards(message) >= DEPTH ? "leave" : "continue";
        size_t size = reply(text, turn, action);
        if (++asked == STRIKE)
            strike(text, size);
        if (is("carriage returns")) {
            text[size++] = '\r';
        } else if (is("byte by byte")) {
            for (size_t at = 0; at + 1 < size; at++)
                say(1, text + at, 1);
            memmove(text, text + size - 1, 1);
            size = 1;
        } else if (is("the newline apart")) {
            say(1, text, size);
            size = 0;
        } else if (is("answers twice") || is("repeats an older answer")) {
            text[size++] = '\n';
            size += reply(text + size, is("answers twice") ? turn : turn > 1 ? turn - 1 : turn, "leave");
        } else if (is("flood of stderr before each answer")) {
            flood_stderr(1 << 20);
        } else if (is("daemon at each turn")) {
            daemonize(0);
        } else if (is("computes 30 ms a turn")) {
            compute(30 * asked);
        }
        text[size++] = '\n';
        say(1, text, size);
    }
    if (is("heeds no signal"))
        hang();
    return 0;
}

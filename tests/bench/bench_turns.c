/* SPDX-License-Identifier: MIT
 *
 * tests/bench/bench_turns.c - what commands cost, taken turn about.
 *
 *   bench_turns ROUNDS COMMAND ARGS... [-- COMMAND ARGS...]...
 *
 * Runs the commands one after the other, ROUNDS times, with their output thrown
 * away, and prints a line for each: the least processor time and the least wall
 * time of a run in microseconds, and the largest resident set in KiB.  The machine
 * may be shared: what other programs do makes a run longer, never shorter, so the
 * least is what is compared; and since all commands run in every round, they see
 * the same weather.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

struct cost {
    double cpu, wall; /* microseconds */
    long peak;        /* KiB */
};

static double wall_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double micros(struct timeval t)
{
    return (double)t.tv_sec * 1e6 + (double)t.tv_usec;
}

/* A run; 0 when the command succeeded. */
static int run(char **command, posix_spawn_file_actions_t *actions, struct cost *out)
{
    struct rusage use;
    double start = wall_clock();
    pid_t pid;
    int status;

    if (posix_spawnp(&pid, command[0], actions, NULL, command, environ) != 0 || wait4(pid, &status, 0, &use) < 0) {
        fprintf(stderr, "bench_turns: cannot run %s\n", command[0]);
        return 1;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "bench_turns: FAILED (%s %d): %s\n", WIFEXITED(status) ? "exit status" : "signal",
                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), command[0]);
        return 1;
    }
    *out = (struct cost){ micros(use.ru_utime) + micros(use.ru_stime), wall_clock() - start, use.ru_maxrss };
    return 0;
}

int main(int argc, char **argv)
{
    enum { COMMANDS = 8 };
    char **commands[COMMANDS] = { argv + 2 };
    struct cost least[COMMANDS];
    int count = 1, rounds = argc > 2 ? atoi(argv[1]) : 0;
    posix_spawn_file_actions_t actions;

    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--") == 0 && count < COMMANDS && i + 1 < argc) {
            argv[i] = NULL;
            commands[count++] = argv + i + 1;
        }
    if (rounds < 1) {
        fprintf(stderr, "usage: bench_turns ROUNDS COMMAND ARGS... [-- COMMAND ARGS...]...\n");
        return 2;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < count; i++) {
            struct cost c;

            if (run(commands[i], &actions, &c) != 0)
                return 1;
            if (round == 0)
                least[i] = c;
            if (c.cpu < least[i].cpu)
                least[i].cpu = c.cpu;
            if (c.wall < least[i].wall)
                least[i].wall = c.wall;
            if (c.peak > least[i].peak)
                least[i].peak = c.peak;
        }
    for (int i = 0; i < count; i++)
        printf("%.0f %.0f %ld\n", least[i].cpu, least[i].wall, least[i].peak);
    posix_spawn_file_actions_destroy(&actions);
    return 0;
}

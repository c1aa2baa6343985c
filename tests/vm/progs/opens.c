/* SPDX-License-Identifier: MIT OR LGPL-2.1-or-later */
/* Several opens, and one open in several hands. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "valid.h"

#define THREADS		4
#define THREAD_READS	300
#define OPENS		2000
#define KILLS		60
#define NOBODY		65534

static struct raw *raw, *other;
static int shared;

static int file_open(void)
{
	return open(BIN_PATH, O_RDONLY | O_CLOEXEC);
}

/* One open in the middle of its window does not notice what another does. */
static const char *opens_are_independent(void)
{
	int one = file_open(), two = file_open(), i;
	const char *wrong = NULL;
	ssize_t n;

	if (read(one, raw->byte, 100) != 100)
		return why_errno("read");
	for (i = 1; !wrong && i <= 5; i++) {
		wrong = raw_get(two, IRQBIN_WINDOW_COUNTERS, other);
		if (!wrong && other->header.sequence != (unsigned int)i)
			wrong = why("sequence %llu in read %d",
				    (unsigned long long)other->header.sequence, i);
	}
	n = read(one, raw->byte + 100, RAW_MAX - 100);
	raw->bytes = 100 + (n > 0 ? (size_t)n : 0);
	if (!wrong)
		wrong = raw_check(raw, IRQBIN_WINDOW_COUNTERS);
	if (!wrong && raw->header.sequence != 1)
		wrong = why("sequence %llu", (unsigned long long)raw->header.sequence);
	close(one);
	if (!wrong)
		wrong = raw_get(two, IRQBIN_WINDOW_DESCRIPTORS, other);
	close(two);
	return wrong;
}

/* A read by one call is never torn. */
static void *read_whole(void *window)
{
	struct raw *own = raw_new();
	const char *wrong = NULL;
	int i;

	for (i = 0; !wrong && i < THREAD_READS; i++)
		wrong = raw_get(shared, *(unsigned int *)window, own);
	free(own);
	return (void *)wrong;
}

/* One by several calls may be, and its two numbers tell. */
static void *read_in_pieces(void *window)
{
	struct raw *own = raw_new();
	const off_t start = window_offset(*(unsigned int *)window);
	const char *wrong = NULL;
	ssize_t n = 0;
	int i;

	for (i = 0; !wrong && i < THREAD_READS; i++) {
		for (own->bytes = 0; own->bytes < RAW_MAX - 64; own->bytes += (size_t)n) {
			n = pread(shared, own->byte + own->bytes, 64, start + (off_t)own->bytes);
			if (n <= 0)
				break;
		}
		if (n < 0)
			wrong = why_errno("pread");
		else if (own->header.window_bytes == own->bytes &&
			 raw_end_sequence(own) == own->header.sequence)
			wrong = raw_check(own, *(unsigned int *)window);
	}
	free(own);
	return (void *)wrong;
}

static const char *run_threads(void *(*run)(void *))
{
	static unsigned int window[] = { IRQBIN_WINDOW_COUNTERS, IRQBIN_WINDOW_DESCRIPTORS };
	pthread_t thread[THREADS];
	const char *wrong = NULL;
	void *result;
	int i;

	shared = file_open();
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run, &window[i == THREADS - 1]))
			abort();
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &result);
		wrong = wrong ? wrong : result;
	}
	close(shared);
	return wrong;
}

static const char *threads_read_whole_windows(void)
{
	return run_threads(read_whole);
}

static const char *threads_notice_torn_windows(void)
{
	return run_threads(read_in_pieces);
}

static const char *opened_often(void)
{
	const char *wrong = NULL;
	int i, fd;

	for (i = 0; !wrong && i < OPENS; i++) {
		fd = file_open();
		if (fd < 0)
			return why_errno("open");
		if (i % 4 == 0)
			wrong = raw_get(fd, i / 4 % 2, raw);
		close(fd);
	}
	return wrong;
}

/* Runs in a child; returns the reason it failed for, or NULL. */
static const char *in_child(const char *(*run)(int), int fd)
{
	const char *wrong;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		wrong = run(fd);
		if (wrong)
			fprintf(stderr, "%s\n", wrong);
		_exit(!!wrong);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return why_errno("fork");
	return status ? "the child failed" : NULL;
}

static const char *get_and_close(int fd)
{
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);

	close(fd);
	return wrong;
}

/* The child's reads count, and its close does not close. */
static const char *fork_shares_the_open(void)
{
	int fd = file_open();
	const char *wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	const uint64_t first = raw->header.sequence;

	if (!wrong)
		wrong = in_child(get_and_close, fd);
	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	if (!wrong && raw->header.sequence != first + 2)
		wrong = why("sequence %llu after %llu", (unsigned long long)raw->header.sequence,
			    (unsigned long long)first);
	close(fd);
	return wrong;
}

static const char *fd_send(int sock, int fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec vec = { (char[]){ "x" }, 1 };
	struct msghdr msg = {
		.msg_iov = &vec, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control.room),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&msg);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(int));
	return sendmsg(sock, &msg, 0) == 1 ? NULL : why_errno("sendmsg");
}

static const char *fd_receive(int sock, int *fd)
{
	union {
		char room[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	char byte;
	struct iovec vec = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &vec, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control.room),
	};

	if (recvmsg(sock, &msg, 0) != 1 || !CMSG_FIRSTHDR(&msg))
		return why_errno("recvmsg");
	memcpy(fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof(int));
	return NULL;
}

static const char *receive_as_nobody(int sock)
{
	const char *wrong;
	int fd;

	if (setgid(NOBODY) || setuid(NOBODY))
		return why_errno("setuid");
	fd = file_open();
	if (fd >= 0)
		return "nobody could open the file";
	wrong = fd_receive(sock, &fd);
	if (!wrong)
		wrong = raw_get(fd, IRQBIN_WINDOW_COUNTERS, raw);
	return wrong ? wrong : raw_get(fd, IRQBIN_WINDOW_DESCRIPTORS, raw);
}

static const char *passed_fd_works(void)
{
	int fd = file_open(), sock[2];
	const char *wrong;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sock))
		return why_errno("socketpair");
	wrong = fd_send(sock[0], fd);
	close(fd);
	if (!wrong)
		wrong = in_child(receive_as_nobody, sock[1]);
	close(sock[0]);
	close(sock[1]);
	return wrong;
}

static void read_for_ever(void)
{
	int fd = file_open(), i;

	for (i = 0; ; i++) {
		if (i % 50 == 0) {
			close(fd);
			fd = file_open();
		}
		if (pread(fd, raw->byte, i % 3 ? RAW_MAX : 100, window_offset(i % 2)) < 1)
			_exit(1);
	}
}

static const char *killed_in_mid_read(void)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < KILLS; i++) {
		pid = fork();
		if (pid == 0)
			read_for_ever();
		usleep((unsigned int)(i * 97 % 5000));
		kill(pid, SIGKILL);
		if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
			return "a reader failed before";
	}
	shared = file_open();
	return get_and_close(shared);
}

int main(void)
{
	static const struct check checks[] = {
		{ "opens_are_independent", opens_are_independent },
		{ "threads_read_whole_windows", threads_read_whole_windows },
		{ "threads_notice_torn_windows", threads_notice_torn_windows },
		{ "file_opened_2000_times", opened_often },
		{ "fork_shares_the_open", fork_shares_the_open },
		{ "passed_fd_works_for_nobody", passed_fd_works },
		{ "readers_are_killed_in_mid_read", killed_in_mid_read },
	};

	raw = raw_new();
	other = raw_new();
	return run_checks(checks, sizeof(checks) / sizeof(checks[0]));
}

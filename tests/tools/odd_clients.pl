#!/usr/bin/perl
# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later
#
# odd_clients.pl HOST:PORT WHAT [N]: does WHAT to a server of /metrics, and then has it answer. Prints nothing, or
# what was wrong. "- activate FILE COMMAND...": runs the command with a listening socket as systemd passes it, the
# port of which it writes to FILE.

use strict;
use warnings;
use IO::Socket::INET;
use Fcntl;

my ($peer, $what, @args) = @ARGV;
my $get = "GET /metrics HTTP/1.1\r\nHost: x\r\n";

sub dial {
	return IO::Socket::INET->new(PeerAddr => $peer, Timeout => 20) || die "connect: $!\n";
}

# The whole answer of a server that closes, "" if it says nothing.
sub answer {
	my ($socket) = @_;
	my $text = '';
	local $SIG{ALRM} = sub { die "no end of the answer\n" };
	alarm 20;
	while (sysread($socket, my $part, 65536)) {
		$text .= $part;
	}
	alarm 0;
	return $text;
}

sub is_fine {
	my $socket = dial();
	print $socket $get, "Connection: close\r\n\r\n";
	my $text = answer($socket);
	$text =~ m{^HTTP/1\.1 200 .*^irqstat_up\{file="interrupts"\} 1$}ms || die "not served any more\n";
}

my %does = (
	garbage => sub {
		my @refused = ("GET / HTTP/9.9\r\n\r\n", "GET /metrics\r\n\r\n", "G" x 100000,
			"GET /metrics HTTP/1.1\r\nHost\r\n:\r\n\r\n",
			"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
			"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
		my @unanswered = ("\0" x 100, "\xff" x 5000, "\r\n" x 50 . "x\r\n\r\n", "GET\r\n\r\n",
			"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03");
		my @sockets;
		for my $bytes (@unanswered) {
			my $socket = dial();
			syswrite $socket, $bytes;
			push @sockets, $socket;
		}
		for my $bytes (@refused) {
			my $socket = dial();
			syswrite $socket, $bytes;
			answer($socket) =~ m{^HTTP/1\.[01] [45]} || die "not refused: " . substr($bytes, 0, 50) . "\n";
		}
	},
	huge => sub {
		my $socket = dial();
		local $SIG{PIPE} = 'IGNORE';
		syswrite $socket, $get;
		syswrite $socket, "X-$_: " . 'y' x 100 . "\r\n" for 1 .. 1000;
		my $text = eval { answer($socket) } // '';
		$text =~ m{^$|^HTTP/1\.1 4} || die "answered: " . substr($text, 0, 20) . "\n";
	},
	slow_request => sub {
		my $socket = dial();
		$socket->autoflush(1);
		for my $byte (split //, "${get}Connection: close\r\n\r\n") {
			syswrite $socket, $byte;
			select undef, undef, undef, 0.005;
		}
		answer($socket) =~ m{irqstat_up} || die "no answer\n";
	},
	silent => sub {
		my @sockets;
		for (1 .. $args[0]) {
			my $socket = dial();
			syswrite $socket, $_ % 2 ? '' : substr $get, 0, $_ % length $get;
			push @sockets, $socket;
		}
		is_fine();
	},
	unread => sub {
		my @sockets;
		for (1 .. $args[0]) {
			my $socket = dial();
			setsockopt $socket, SOL_SOCKET, SO_RCVBUF, 1024;
			syswrite $socket, "$get\r\n" x 40;
			push @sockets, $socket;
		}
		is_fine();
	},
	cut => sub {
		for (1 .. $args[0]) {
			my $socket = dial();
			syswrite $socket, "$get\r\n";
			setsockopt $socket, SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0;
			close $socket;
		}
	},
	pipeline => sub {
		my $socket = dial();
		syswrite $socket, "$get\r\n" x 9 . "${get}Connection: close\r\n\r\n";
		my $n = () = answer($socket) =~ m{^irqstat_up}mg;
		$n == 10 || die "$n answers\n";
	},
);

sub activate {
	my ($file, @command) = @args;
	my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5) || die "listen: $!\n";
	open my $out, '>', "$file.new" or die "$file: $!\n";
	print $out $socket->sockport;
	close $out;
	rename "$file.new", $file;
	if (fileno $socket == 3) {
		fcntl $socket, F_SETFD, 0;
	} else {
		require POSIX;
		POSIX::dup2(fileno $socket, 3);
	}
	@ENV{'LISTEN_PID', 'LISTEN_FDS'} = ($$, 1);
	exec @command;
}

if ($what eq 'activate') {
	activate();
} else {
	eval { $does{$what}->(); is_fine() };
	print $@;
}

# SPDX-License-Identifier: MIT OR LGPL-2.1-or-later

# Three numbers that move on their own: the package's, the library's ABI and the stream format's.
VERSION = 0.1.0
SONAME = 0
STREAM = 1.0

OBJCOPY ?= objcopy
LDCONFIG ?= ldconfig
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
EXAMPLEDIR ?= $(PREFIX)/share/doc/interrupts-bin/examples
DKMSDIR ?= /usr/src
KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= all
SMP ?= 4 16 64

CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla
DEFINES = -D_FORTIFY_SOURCE=2 -DIRQSTAT_VERSION='"$(VERSION)"'
SANITIZE = -O1 -U_FORTIFY_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=all
SANITIZE_THREAD = -O1 -U_FORTIFY_SOURCE -fsanitize=thread
INCLUDES = -Iuapi -Ilibirqstat -Ilibirqstat/uring
COMPILE = $(CC) -std=gnu11 $(INCLUDES) $(DEFINES) $(CPPFLAGS) $(CFLAGS) $(WARNINGS) -MMD -MP
LINK = $(CC) $(CFLAGS) $(LDFLAGS) -Wl,-z,relro,-z,now

comma = ,
B = build
STATIC = $B/libirqstat.a
SHARED = $B/libirqstat.so.$(SONAME)
MAP = libirqstat/libirqstat.map
LIB_SRC = $(wildcard libirqstat/*.c)
LIB_OBJ = $(LIB_SRC:%.c=$B/obj/%.o)
URING_STATIC = $B/libirqstat_uring.a
URING_SHARED = $B/libirqstat_uring.so.$(SONAME)
URING_MAP = libirqstat/uring/libirqstat_uring.map
URING_SRC = $(wildcard libirqstat/uring/*.c)
URING_OBJ = $(URING_SRC:%.c=$B/obj/%.o)
LIBS = $(STATIC) $(SHARED) $(URING_STATIC) $(URING_SHARED)
PC = libirqstat/libirqstat.pc.in libirqstat/uring/libirqstat_uring.pc.in
HEADERS = libirqstat/irqstat.h libirqstat/uring/irqstat_uring.h
COLLECT_SRC = tests/unit/main.c $(wildcard tests/unit/test_collect*.c tests/unit/collect/*.c) kernel/collect.c
UNIT_SRC = $(filter-out $(COLLECT_SRC),$(wildcard tests/unit/*.c)) tests/unit/main.c $(LIB_SRC) $(URING_SRC)
THREADS_SRC = $(addprefix tests/unit/,main.c test_threads.c agent.c stream.c) $(LIB_SRC)
EXPORTER_UNIT_SRC = $(wildcard tests/unit/exporter/*.c) tests/unit/main.c $(LIB_SRC) \
	$(filter-out %/main.c %/http.c,$(EXPORTER_SRC))
UNIT = $(addprefix $B/tests/,unit unit-collect unit-exporter unit-sanitized unit-collect-sanitized \
	unit-exporter-sanitized unit-collect-threads unit-threads)
BENCH_SRC = tests/bench/bench_collect.c tests/unit/collect/machine.c tests/unit/collect/reader.c kernel/collect.c
TOOLS = $B/irqstat $B/irqstat-text
IRQSTAT_SRC = $(filter-out tools/irqstat-text.c tools/text_layout.c tools/output.c,$(wildcard tools/*.c))
TEXT_SRC = $(addprefix tools/,irqstat-text.c text_layout.c output.c reason.c)
TOOLS += $B/irqstat-exporter
COMPLETED = irqstat irqstat-exporter
EXPORTER_SRC = $(wildcard tools/exporter/*.c) $(addprefix tools/,output.c reason.c utf8.c)
AGENTS = $(patsubst libirqstat/%.c,$B/%,$(wildcard libirqstat/examples/*.c))
PROGRAMS = $(patsubst tests/vm/progs/%.c,$B/tests/%,$(wildcard tests/vm/progs/*.c))
EXAMPLES = $(wildcard dist/*.d/*.conf)
SYSTEMDDIR ?= $(PREFIX)/lib/systemd/system
SYSUSERSDIR ?= $(PREFIX)/lib/sysusers.d
MONITORING = $(wildcard dist/prometheus/*)
MONITORINGDIR ?= $(PREFIX)/share/doc/irqstat-exporter/examples
DKMS_TREE = $(DKMSDIR)/interrupts-bin-$(VERSION)
DKMS_SRC = Kbuild $(wildcard kernel/*.[ch] uapi/linux/*.h)
# The functions that a page is of.
MAN_NAMES = sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \(irqstat_[a-z_]*\).*/\1/p'
# Where libraries are is known to programs from now on; not in a folder that is to become a package.
LINKER_TOLD = [ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || $(LDCONFIG)
UNUSED_REMOVED = for dir in $(1); do [ ! -d $(DESTDIR)$$dir ] || rmdir --ignore-fail-on-non-empty $(DESTDIR)$$dir || exit; done
MAN = $(wildcard kernel/man/*.[0-9] libirqstat/man/*.[0-9] tools/man/*.[0-9])

all: $(LIBS:%.$(SONAME)=%) $(TOOLS) ## the libraries and the tools, into build/

module: ## build/interrupts_bin.ko for the kernel that KDIR= names (the running one)
	@scripts/module-tree $B/module
	$(MAKE) -C $(KDIR) M=$(CURDIR)/$B/module modules
	cp $B/module/interrupts_bin.ko $B/

demo: ## boot a kernel and read its interrupts through the module
	@scripts/install-deps build vm
	@tests/vm/demo.sh

check: ## everything below, on every kernel; installs what it lacks when root
	@scripts/install-deps build vm deb check
	@KERNEL="$(KERNEL)" tests/check lint unit fuzz install vm

check-unit: ## library, collector and tools on their own
	@tests/check unit

fuzz: ## the decoders and parsers, with libFuzzer and AFL++ and FUZZ_SECONDS=60 each
	@scripts/install-deps build check
	@tests/check fuzz

check-install: ## install, uninstall, DKMS in Debian 12 and 13, Debian packages
	@tests/check install

check-vm: ## the module in booted kernels: KERNEL="6.1 7.3-cloud", all (the default)
	@KERNEL="$(KERNEL)" tests/check vm

check-debug-kernel: ## the same in kernels built to find faults: debug (memory, locks), kcsan (data races)
	@scripts/install-deps build vm
	@KERNEL="$(KERNEL:all=debug kcsan)" tests/check vm

lint: ## style and static checks
	@KERNEL="$(KERNEL)" tests/check lint

check-abi: ## what programs see of the libraries: as recorded; and exports, maps, headers and pages agree
	@scripts/install-deps build check
	@tests/check abi

deps: ## install the packages that building and testing take
	@scripts/install-deps build vm deb check

bench: ## what reading costs, text against binary: KERNEL="7.3 6.1" SMP="4 16 64"
	@scripts/install-deps build vm check
	@$(MAKE) -s $B/tests/bench_collect $B/tests/bench_text $B/tests/bench_decode
	@tests/bench/run --kernel "$(KERNEL:all=6.1 7.3)" --smp "$(SMP)"

programs: $(PROGRAMS) $(AGENTS)
agents: $(AGENTS)
unit: $(UNIT)

$B/obj/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -fPIC -fvisibility=hidden -c -o $@ $<

$B/sanitized/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) $(SANITIZE) -c -o $@ $<

$B/threads/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) $(SANITIZE_THREAD) -c -o $@ $<

# One object, so that what the parts of the library share stays inside the archive, too.
$(STATIC): $(LIB_OBJ)
$(URING_STATIC): $(URING_OBJ)
%.a:
	$(LD) -r -o $B/obj/$(*F).o $^
	$(OBJCOPY) --localize-hidden $B/obj/$(*F).o
	rm -f $@
	$(AR) rcs $@ $B/obj/$(*F).o

$(SHARED): $(LIB_OBJ) $(MAP)
	$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(MAP) -Wl,-z,defs -o $@ $(LIB_OBJ)

$(URING_SHARED): $(URING_OBJ) $(URING_MAP) $B/libirqstat.so
	$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(URING_MAP) -Wl,-z,defs -o $@ $(URING_OBJ) \
		-L$B -lirqstat -luring

%.so: %.so.$(SONAME)
	ln -sf $(<F) $@

$B/irqstat: $(IRQSTAT_SRC:%.c=$B/obj/%.o) $(URING_STATIC) $(STATIC)
	$(LINK) -o $@ $^ $$(pkg-config --libs smartcols ncursesw liburing) -lm

# Static: finding and binding libraries would take longer than what this does.
$B/irqstat-text: $(TEXT_SRC:%.c=$B/obj/%.o) $(STATIC)
	$(LINK) -static -o $@ $^

$B/irqstat-exporter: $(EXPORTER_SRC:%.c=$B/obj/%.o) $(STATIC)
	$(LINK) -o $@ $^ $$(pkg-config --libs libmicrohttpd)

$(AGENTS): $B/examples/%: $B/obj/libirqstat/examples/%.o $B/libirqstat.so
	@mkdir -p $(@D)
	$(LINK) -o $@ $< -L$B -lirqstat

$(PROGRAMS): $B/tests/%: $B/obj/tests/vm/progs/%.o $(URING_STATIC) $(STATIC)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -l:liburing.a -lpthread

$B/tests/unit: $(UNIT_SRC:%.c=$B/obj/%.o)
$B/tests/unit-collect: $(COLLECT_SRC:%.c=$B/obj/%.o)
$B/tests/unit-exporter: $(EXPORTER_UNIT_SRC:%.c=$B/obj/%.o)
$B/tests/unit-sanitized: $(UNIT_SRC:%.c=$B/sanitized/%.o)
$B/tests/unit-collect-sanitized: $(COLLECT_SRC:%.c=$B/sanitized/%.o)
$B/tests/unit-exporter-sanitized: $(EXPORTER_UNIT_SRC:%.c=$B/sanitized/%.o)
$B/tests/unit-collect-threads: $(COLLECT_SRC:%.c=$B/threads/%.o)
$B/tests/unit-threads: $(THREADS_SRC:%.c=$B/threads/%.o)
$B/tests/unit $B/tests/unit-sanitized: UNIT_WRAP = $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc regcomp getline fdopen fdopendir)
$(UNIT): INCLUDES += -Ikernel -Itests/unit -Itests/unit/collect -Itools/exporter
$(UNIT):
	@mkdir -p $(@D)
	$(LINK) $(if $(findstring sanitized,$@),$(SANITIZE)) $(if $(findstring threads,$@),$(SANITIZE_THREAD)) -o $@ $^ \
		$(UNIT_WRAP) $$(pkg-config --libs check) -luring -lpthread

# Without the hooks by which the tests stop the machine in mid-step.
$B/tests/bench_collect: $(BENCH_SRC) $(wildcard tests/unit/collect/*.h) kernel/collect.h
	@mkdir -p $(@D)
	$(COMPILE) -Ikernel -Itests/unit/collect -DMACHINE_NO_STEPS $(LDFLAGS) -o $@ $(BENCH_SRC) -lm

# The fuzz targets with both engines, and what they begin with.
FUZZ_SRC = tests/unit/coherent.c tests/unit/reference.c $(LIB_SRC)
FUZZ_DEPS = $(FUZZ_SRC) $(wildcard tests/fuzz/*.h tests/unit/*.h libirqstat/*.h)
FUZZ = -std=gnu11 $(INCLUDES) -O1 -g -fsanitize=fuzzer -fno-sanitize-recover=all -o $@ $< $(FUZZ_SRC)

$B/fuzz/libfuzzer-%: tests/fuzz/fuzz_%.c $(FUZZ_DEPS)
	@mkdir -p $(@D)
	clang -fsanitize=address,undefined $(FUZZ)

$B/fuzz/afl-%: tests/fuzz/fuzz_%.c $(FUZZ_DEPS)
	@mkdir -p $(@D)
	AFL_QUIET=1 AFL_USE_ASAN=1 AFL_USE_UBSAN=1 afl-clang-fast $(FUZZ)

$B/fuzz/seeds: tests/fuzz/seeds.c tests/unit/stream.c $(LIB_SRC)
	@mkdir -p $(@D)
	$(COMPILE) -o $@ $^

$B/tests/bench_text $B/tests/bench_decode: $B/tests/%: $B/obj/tests/bench/%.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^

install: all ## library, headers, tools and pages: DESTDIR= PREFIX=/usr/local
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/linux $(DESTDIR)$(BINDIR)
	install -m 644 $(LIBS) $(DESTDIR)$(LIBDIR)
	for so in $(notdir $(SHARED) $(URING_SHARED)); do \
		ln -sf $$so $(DESTDIR)$(LIBDIR)/$${so%.$(SONAME)} || exit; \
	done
	for pc in $(PC); do \
		sed -e 's|@PREFIX@|$(PREFIX)|;s|@LIBDIR@|$(LIBDIR)|;s|@INCLUDEDIR@|$(INCLUDEDIR)|' \
			-e 's|@VERSION@|$(VERSION)|' $$pc \
			>$(DESTDIR)$(LIBDIR)/pkgconfig/$$(basename $$pc .in) || exit; \
	done
	install -m 644 $(HEADERS) $(DESTDIR)$(INCLUDEDIR)
	install -m 644 uapi/linux/interrupts_bin.h $(DESTDIR)$(INCLUDEDIR)/linux
	install $(TOOLS) $(DESTDIR)$(BINDIR)
	for tool in $(COMPLETED); do \
		install -D -m 644 tools/completion/$$tool.bash $(DESTDIR)$(DATADIR)/bash-completion/completions/$$tool && \
		install -D -m 644 tools/completion/_$$tool $(DESTDIR)$(DATADIR)/zsh/site-functions/_$$tool && \
		install -D -m 644 tools/completion/$$tool.fish $(DESTDIR)$(DATADIR)/fish/vendor_completions.d/$$tool.fish || exit; \
	done
	install -d $(DESTDIR)$(SYSTEMDDIR) $(DESTDIR)$(SYSUSERSDIR) $(DESTDIR)$(MONITORINGDIR)
	sed 's|@BINDIR@|$(BINDIR)|' dist/systemd/irqstat-exporter.service.in >$(DESTDIR)$(SYSTEMDDIR)/irqstat-exporter.service
	install -m 644 dist/systemd/irqstat-exporter.socket $(DESTDIR)$(SYSTEMDDIR)
	install -m 644 dist/systemd/irqstat.sysusers $(DESTDIR)$(SYSUSERSDIR)/irqstat.conf
	install -m 644 $(MONITORING) $(DESTDIR)$(MONITORINGDIR)
	for page in $(MAN); do \
		install -D -m 644 $$page $(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/} || exit; \
		for name in $$($(MAN_NAMES) $$page); do \
			[ $$name.3 = $${page##*/} ] || ln -sf $${page##*/} $(DESTDIR)$(MANDIR)/man3/$$name.3 || exit; \
		done; \
	done
	$(LINKER_TOLD)

uninstall: ## undo install
	rm -f $(addprefix $(DESTDIR)$(BINDIR)/,$(notdir $(TOOLS))) \
		$(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(LIBS) $(LIBS:%.$(SONAME)=%))) \
		$(addprefix $(DESTDIR)$(LIBDIR)/pkgconfig/,$(notdir $(PC:%.in=%))) \
		$(addprefix $(DESTDIR)$(INCLUDEDIR)/,$(notdir $(HEADERS))) \
		$(DESTDIR)$(INCLUDEDIR)/linux/interrupts_bin.h \
		$(addprefix $(DESTDIR)$(DATADIR)/,$(COMPLETED:%=bash-completion/completions/%) \
			$(COMPLETED:%=zsh/site-functions/_%) $(COMPLETED:%=fish/vendor_completions.d/%.fish)) \
		$(addprefix $(DESTDIR)$(SYSTEMDDIR)/irqstat-exporter.,service socket) $(DESTDIR)$(SYSUSERSDIR)/irqstat.conf \
		$(addprefix $(DESTDIR)$(MONITORINGDIR)/,$(notdir $(MONITORING))) \
		$(foreach page,$(notdir $(MAN)),$(DESTDIR)$(MANDIR)/man$(lastword $(subst ., ,$(page)))/$(page)) \
		$(patsubst %,$(DESTDIR)$(MANDIR)/man3/%.3,$(shell $(MAN_NAMES) $(MAN)))
	$(call UNUSED_REMOVED,$(MONITORINGDIR) $(patsubst %/,%,$(dir $(MONITORINGDIR))))
	$(LINKER_TOLD)

install-dkms: ## the module's sources for DKMS, and examples of its configuration: DESTDIR=
	rm -rf $(DESTDIR)$(DKMS_TREE)
	for file in $(DKMS_SRC); do \
		install -D -m 644 $$file $(DESTDIR)$(DKMS_TREE)/$$file || exit; \
	done
	sed 's|@VERSION@|$(VERSION)|' dist/dkms.conf.in >$(DESTDIR)$(DKMS_TREE)/dkms.conf
	for file in $(EXAMPLES:dist/%=%); do \
		install -D -m 644 dist/$$file $(DESTDIR)$(EXAMPLEDIR)/$$file || exit; \
	done

uninstall-dkms: ## undo install-dkms; before, 'dkms remove interrupts-bin/VERSION --all'
	rm -rf $(DESTDIR)$(DKMS_TREE)
	rm -f $(EXAMPLES:dist/%=$(DESTDIR)$(EXAMPLEDIR)/%)
	$(call UNUSED_REMOVED,$(patsubst %/,$(EXAMPLEDIR)/%,$(sort $(dir $(EXAMPLES:dist/%=%)))) \
		$(EXAMPLEDIR) $(patsubst %/,%,$(dir $(EXAMPLEDIR))))

deb: ## Debian packages, into build/deb/
	@scripts/install-deps build deb
	@scripts/deb

clean: ## what was built
	rm -rf $B

distclean: clean ## and what was fetched
	rm -rf .cache

help: ## this
	@awk -F ': .*## |:.*## ' '/^[a-z-]+:.*##/ { printf "make %-18s %s\n", $$1, $$2 }' Makefile

-include $(shell find $B -name '*.d' 2>/dev/null)

.PHONY: all module demo check check-unit check-install check-vm check-debug-kernel check-abi lint bench deps programs agents \
	unit fuzz install uninstall install-dkms uninstall-dkms deb clean distclean help

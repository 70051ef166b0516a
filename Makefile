# SPDX-License-Identifier: MIT
#
# One non-recursive makefile.  Targets: all check check-peer check-long check-san
# check-hostile bench fuzz lint install uninstall demo clean.
#
#   O=build          where everything goes
#   MODE=release     release | debug | asan | ubsan | cov, each with its own tree under $(O)
#   V=1              show commands
#   CFLAGS           yours; the flags the project needs are added to them
#   WERROR=1         warnings are errors (CI)
#   STATIC=0         link the programs with shared libraries
#   PREFIX, LIBEXECDIR  where `make install` puts things; tell both make and make install

O      ?= build
MODE   ?= release
PREFIX ?= /usr/local
LIBEXECDIR ?= libexec
B      := $(O)/$(MODE)
Q      := $(if $(V),,@)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

# ---- what goes where -------------------------------------------------------
# The linker's passes (ld/) are part of the library, which offers them as
# codeobj_link(); only its command line (main.c, options*.c) is the program's.
rooms    := base target elf metadata kernel bundle isa load exec subgroup check
lib_src  := $(foreach r,$(rooms),$(sort $(wildcard libcodeobj/$(r)/*.c)))
ld_main  := $(sort $(wildcard ld/main.c ld/options*.c))
ld_src   := $(filter-out $(ld_main),$(sort $(wildcard ld/*.c)))
ro_src   := $(sort $(wildcard readobj/*.c))
unit_src := $(sort $(wildcard tests/unit/test_*.c))
# Loops over lanes are built once per instruction set and chosen at run time.  That clang cannot
# vectorise one of them for one set is no fault of the source (-Wno-pass-failed).
lane_src := $(sort $(wildcard libcodeobj/exec/lanes/*.c))

pkgs_lib  := yaml-0.1 msgpack zlib libzstd
pkgs_ro   := jansson yaml-0.1 libelf libdw
# msgpack-c was renamed between Debian releases.
pkgs_lib  := $(if $(shell pkg-config --exists msgpack-c 2>/dev/null && echo y),$(pkgs_lib:msgpack=msgpack-c),$(pkgs_lib))

# ---- flags -----------------------------------------------------------------
CFLAGS ?= -O2 -g
warn   := -Wall -Wextra -Wshadow -Wundef -Wvla -Wcast-align -Wstrict-prototypes -Wmissing-prototypes $(if $(WERROR),-Werror)
mode_release :=
mode_debug   := -O0 -g3
mode_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
mode_ubsan   := -O1 -g -fsanitize=undefined -fno-sanitize-recover=all
mode_cov     := -O0 -g --coverage
incl    := -Ilibcodeobj/include -Ilibcodeobj
co_flags := -std=c11 -D_GNU_SOURCE -fvisibility=hidden -ffp-contract=off -fno-math-errno -fPIC -pthread $(warn) $(incl)
dep_cflags = $(shell pkg-config --cflags $(pkgs_lib) $(pkgs_ro) 2>/dev/null)
dep_libs   = $(shell pkg-config --libs $(pkgs_lib) 2>/dev/null) -liberty -lm
ro_libs    = $(shell pkg-config --libs $(pkgs_ro) 2>/dev/null)
all_cflags = $(CFLAGS) $(mode_$(MODE)) $(co_flags) $(dep_cflags)
all_ldflags = $(LDFLAGS) $(mode_$(MODE)) -pthread -Wl,--as-needed

x86     := $(filter x86_64 amd64,$(shell uname -m))
lane_isas := base $(if $(x86),avx2 avx512)
# Nobody looks at the host's exception flags: loops may convert and compare in lanes that are not wanted.
lane_flags        := -fno-trapping-math
lane_flags_base   :=
lane_flags_avx2   := -mavx2 -mfma -mf16c -mbmi2
lane_flags_avx512 := -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma -mf16c -mbmi2 -mprefer-vector-width=512

lib_obj  := $(patsubst %.c,$(B)/%.o,$(lib_src) $(ld_src))
lib_obj  += $(foreach i,$(lane_isas),$(patsubst %.c,$(B)/%.$(i).o,$(lane_src)))
ld_obj   := $(patsubst %.c,$(B)/%.o,$(ld_main))
ro_obj   := $(patsubst %.c,$(B)/%.o,$(ro_src))
unit_bin := $(patsubst tests/unit/%.c,$(B)/tests/%,$(unit_src))

ver = $(shell sed -n 's/^\#define CODEOBJ_VERSION_$(1) *//p' libcodeobj/include/codeobj/base.h)
VERSION := $(call ver,MAJOR).$(call ver,MINOR).$(call ver,PATCH)
SOMAJOR := $(call ver,MAJOR)

# ---- building --------------------------------------------------------------
.PHONY: all deps
all: $(B)/libcodeobj.a $(B)/libcodeobj.so.$(VERSION) $(if $(ld_main),$(B)/amdld $(companion)) $(if $(ro_src),$(B)/amdreadobj)

# Installs what building needs, where it is missing.
deps:
	$(Q).ci/deps build

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC      $<")
	$(Q)$(CC) $(all_cflags) -MMD -MP -c -o $@ $<

define lane_rule
$(B)/libcodeobj/exec/lanes/%.$(1).o: libcodeobj/exec/lanes/%.c Makefile
	@mkdir -p $$(@D)
	$$(if $$(V),,@echo "  CC.$(1) $$<")
	$$(Q)$$(CC) $$(all_cflags) $$(if $$(filter release,$$(MODE)),-O3) $$(lane_flags) $$(lane_flags_$(1)) -DCO_LANES=$(1) -Wno-pass-failed -MMD -MP -c -o $$@ $$<
endef
$(foreach i,$(lane_isas),$(eval $(call lane_rule,$(i))))

$(B)/libcodeobj.a: $(lib_obj)
	$(if $(V),,@echo "  AR      $@")
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/libcodeobj.so.$(VERSION): $(lib_obj) libcodeobj/libcodeobj.map
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(all_ldflags) -shared -Wl,-soname,libcodeobj.so.$(SOMAJOR) -Wl,--version-script=libcodeobj/libcodeobj.map -o $@ $(lib_obj) $(dep_libs)
	$(Q)ln -sf $(@F) $(B)/libcodeobj.so.$(SOMAJOR) && ln -sf $(@F) $(B)/libcodeobj.so

# The programs live for a millisecond: linked statically they start three times as fast.  They read
# files that nobody vouches for, so their addresses stay random (-static-pie, with packed relocations
# where the linker has them).  Where a library has no static form the shared ones are taken.
STATIC ?= $(if $(filter release,$(MODE)),1,0)
static_libs = $(shell pkg-config --static --libs $(1) 2>/dev/null) -liberty -lm
pack_relocs = $(shell $(CC) -shared -Wl,-z,pack-relative-relocs -Wl,--fatal-warnings -o /dev/null -x c /dev/null 2>/dev/null && echo -Wl,-z,pack-relative-relocs)
# $(1): shared libraries, $(2): packages for the static link, $(3): shell commands that may do it and exit
define link_program
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(3) if [ "$(STATIC)" = 0 ] || ! $(CC) $(all_ldflags) -static-pie $(pack_relocs) -Wl,--gc-sections -o $@ $(filter-out $(B)/musl/%,$(filter %.o %.a,$^)) $(call static_libs,$(2)) 2>/dev/null; then \
	    $(CC) $(all_ldflags) -Wl,--gc-sections -o $@ $(filter-out $(B)/musl/%,$(filter %.o %.a,$^)) $(1); fi
endef

# glibc asks the processor about itself some fifty times before main(), which takes longer than a link
# wherever a hypervisor answers (0.6 ms against 0.2), and a static program begins at 800 KB.  Where musl is
# installed (musl-dev), the linker is built with it; what it needs of the library is compiled a second time.
# MUSL=0 does without; musl_lib= and musl_inc= name its folders.  (muldefs: memcpy of ld/musl/ comes first.)
MUSL     ?= $(STATIC)
musl_lib ?= $(patsubst %/rcrt1.o,%,$(firstword $(wildcard /usr/lib/$(shell uname -m)-linux-musl/rcrt1.o /usr/lib/musl/lib/rcrt1.o /usr/local/musl/lib/rcrt1.o)))
musl_inc ?= $(firstword $(wildcard $(if $(musl_lib),/usr/include/$(notdir $(musl_lib)) $(dir $(musl_lib))include)))
musl     := $(if $(filter-out 0,$(MUSL)),$(if $(musl_inc),$(musl_lib)))
musl_src := $(ld_main) $(ld_src) $(sort $(wildcard ld/musl/*.c libcodeobj/base/*.c libcodeobj/target/*.c)) \
            $(foreach f,contents notes open relocs symbols,libcodeobj/elf/$(f).c)
musl_obj := $(if $(musl),$(patsubst %.c,$(B)/musl/%.o,$(musl_src)))

# libzstd's compressor is larger than all of the linker: it is in a companion, which takes over the links that
# want it (ld/options_companion.c).  What a link goes through once, or only to explain an error, is built for its size.
companion := $(if $(musl),$(B)/amdld-zstd)
companion_flags = -DAMDLD_PREFIX='"$(PREFIX)"' -DAMDLD_COMPANION='"$(LIBEXECDIR)/libcodeobj/amdld-zstd"'

$(B)/musl/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC.musl $<")
	$(Q)$(CC) $(all_cflags) $(musl_flags) -isystem $(musl_inc) -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -MMD -MP -c -o $@ $<

musl_cold := $(filter-out %_ahead.c %_files.c,$(ld_main)) $(wildcard ld/*_parse.c ld/dwarf*.c) \
             $(foreach f,android crossrefs defsym diag expr flags map overlay script_layout spelling spill why_live,ld/$(f).c)
$(patsubst %.c,$(B)/musl/%.o,$(musl_cold)): musl_flags += $(if $(findstring -O2,$(CFLAGS)),-Os)
$(B)/musl/ld/musl/%.o: musl_flags += -ffreestanding
$(B)/musl/ld/compress.o $(B)/musl/ld/options_companion.o: musl_flags += $(companion_flags)
# Static libraries that call more of glibc than ld/musl/ knows make it a program of glibc after all.
link_musl = $(CC) $(LDFLAGS) -nostdlib -static-pie -Wl,--gc-sections -Wl,-z,noseparate-code,-z,muldefs,-z,stack-size=1048576 \
    -Wl,--no-eh-frame-hdr,-T,ld/musl/discard.ld -o $@ \
    $(musl)/rcrt1.o $(musl)/crti.o $(musl_obj) $(filter-out -lm,$(filter -l% -L%,$(call static_libs,zlib libzstd))) $(musl)/libc.a -lgcc $(musl)/crtn.o
$(B)/amdld: $(ld_obj) $(B)/libcodeobj.a $(musl_obj) $(if $(musl),ld/musl/discard.ld) | $(companion)
	$(call link_program,$(dep_libs) -liberty,$(pkgs_lib),$(if $(musl),$(link_musl) 2>$(B)/musl/link.log && exit 0; echo "  (without musl: $(B)/musl/link.log)";))
$(B)/amdld-zstd: $(ld_obj) $(B)/libcodeobj.a
	$(if $(V),,@echo "  LD      $@")
	$(Q)$(CC) $(all_ldflags) -Wl,--gc-sections -o $@ $^ $(dep_libs)
$(B)/amdreadobj: $(ro_obj) $(B)/libcodeobj.a
	$(call link_program,$(dep_libs) $(ro_libs),$(pkgs_lib) $(pkgs_ro))

# ---- tests -----------------------------------------------------------------
# tests/run.sh runs unit programs (cmocka, TAP) and tests/cli/*.sh, and adds up.
$(B)/tests/%: tests/unit/%.c $(B)/libcodeobj.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CCLD    $@")
	$(Q)$(CC) $(all_cflags) -Itests/unit -MMD -MP -MF $@.d $(all_ldflags) -o $@ $< $(B)/libcodeobj.a $(dep_libs) -lelf -lcmocka

.PHONY: tests check test check-san check-peer check-long check-hostile
tests: all $(unit_bin)
check test: deps
	$(Q)$(MAKE) --no-print-directory check-built
.PHONY: check-built
check-built: tests
	$(Q)B=$(B) tests/run.sh $(unit_bin) $(sort $(wildcard tests/cli/*.sh))
check-san:
	$(Q)$(MAKE) --no-print-directory MODE=asan check
check-peer: deps
	$(Q).ci/deps peer
	$(Q)$(MAKE) --no-print-directory all
	$(Q)B=$(B) tests/run.sh $(sort $(wildcard tests/peer/*.sh))
# Damaged inputs, every length and many values of every byte.
check-hostile: $(patsubst %,$(B)/tests/test_%,hostile bundle bundle_files link_hostile)
	$(Q)B=$(B) LONG=1 tests/run.sh $^
check-long: check check-peer
	$(Q)$(MAKE) --no-print-directory MODE=asan check-hostile
	$(Q)B=$(B) LONG=1 tests/run.sh $(sort $(wildcard tests/peer/*.sh) $(wildcard tests/long/*.sh))

# ---- installing ------------------------------------------------------------
LIBDIR ?= lib
# The programs go without their debug information; STRIP= leaves it.
STRIP  ?= strip
install_program = install $(if $(STRIP),-s --strip-program=$(STRIP)) -m 755
dest   := $(DESTDIR)$(PREFIX)
man_src := $(sort $(wildcard man/*.[1-9]))
.PHONY: install install-lld-names uninstall
install: all
	install -d $(dest)/bin $(dest)/$(LIBDIR)/pkgconfig $(dest)/include/codeobj
	$(install_program) $(B)/amdld $(B)/amdreadobj $(dest)/bin
	$(if $(companion),install -d $(dest)/$(LIBEXECDIR)/libcodeobj && $(install_program) $(companion) $(dest)/$(LIBEXECDIR)/libcodeobj)
	install -m 644 libcodeobj/include/codeobj/*.h $(dest)/include/codeobj
	install -m 644 $(B)/libcodeobj.a $(dest)/$(LIBDIR)
	install -m 755 $(B)/libcodeobj.so.$(VERSION) $(dest)/$(LIBDIR)
	ln -sf libcodeobj.so.$(VERSION) $(dest)/$(LIBDIR)/libcodeobj.so.$(SOMAJOR)
	ln -sf libcodeobj.so.$(SOMAJOR) $(dest)/$(LIBDIR)/libcodeobj.so
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; s|@PRIVATE@|$(pkgs_lib)|' \
	    libcodeobj/codeobj.pc.in > $(dest)/$(LIBDIR)/pkgconfig/codeobj.pc
	$(foreach m,$(man_src),install -D -m 644 $(m) $(dest)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m)) &&) true
# The names that build systems look for; apart, so that nothing is replaced unasked.
install-lld-names:
	$(foreach n,lld ld.lld iree-lld,ln -sf amdld $(dest)/bin/$(n) &&) true
uninstall:
	rm -f $(dest)/bin/amdld $(dest)/bin/amdreadobj $(dest)/$(LIBDIR)/libcodeobj.* $(dest)/$(LIBDIR)/pkgconfig/codeobj.pc
	rm -f $(foreach m,$(man_src),$(dest)/share/man/man$(subst .,,$(suffix $(m)))/$(notdir $(m)))
	rm -rf $(dest)/include/codeobj
	$(if $(companion),rm -f $(dest)/$(LIBEXECDIR)/libcodeobj/amdld-zstd && { rmdir $(dest)/$(LIBEXECDIR)/libcodeobj 2>/dev/null || true; })

.PHONY: lint
lint:
	$(Q)cppcheck --quiet --std=c11 --enable=warning,portability --suppress=missingIncludeSystem -Ilibcodeobj/include -Ilibcodeobj libcodeobj ld readobj

.PHONY: clean
clean:
	$(Q)rm -rf $(O)

include $(sort $(wildcard tests/*/*.mk man/*.mk fixtures/*.mk))
-include $(shell find $(B) -name '*.d' 2>/dev/null)

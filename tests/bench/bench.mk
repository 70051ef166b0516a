# SPDX-License-Identifier: MIT
#
# make bench runs every tests/bench/bench_*.sh; each prints lines
#   NAME  ours  theirs  ratio  (target)
# taken in one run, turn about, since machines are shared and noisy.  Timing
# never decides a test.
.PHONY: bench bench-built
bench: deps
	$(Q).ci/deps peer
	$(Q)$(MAKE) --no-print-directory bench-built
bench_bin := $(patsubst tests/bench/%.c,$(B)/bench/%,$(sort $(wildcard tests/bench/bench_*.c)))
bench-built: all $(bench_bin)
	$(Q)for b in $(sort $(wildcard tests/bench/bench_*.sh)); do echo "== $$(basename $$b .sh)"; B=$(B) $$b || exit 1; done

# C programs of the benchmark: $(B)/bench/NAME from tests/bench/NAME.c
$(B)/bench/%: tests/bench/%.c $(B)/libcodeobj.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CCLD    $@")
	$(Q)$(CC) $(all_cflags) -MMD -MP -MF $@.d $(all_ldflags) -o $@ $< $(B)/libcodeobj.a $(dep_libs)

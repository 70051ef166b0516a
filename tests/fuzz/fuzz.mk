# SPDX-License-Identifier: MIT
#
# make fuzz builds every tests/fuzz/fuzz_NAME.c with libFuzzer, ASan and UBSan and
# runs each for FUZZ_SECONDS on its corpus (tests/fuzz/corpus/NAME); new inputs go
# to $(O)/fuzz/corpus/NAME.  A crash leaves its input there and fails the target.
# The corpora are replayed without libFuzzer by tests/unit/test_hostile.c.
FUZZ_SECONDS ?= 60
# The first that comes with libFuzzer and the sanitizers' libraries, which are packages of their own.
fuzz_can     = $(shell echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | $(1) -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null && echo y)
FUZZ_CC      ?= $(firstword $(foreach c,clang-22 clang,$(if $(call fuzz_can,$(c)),$(c))) clang)
mode_fuzz    := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

fuzz_src := $(sort $(wildcard tests/fuzz/fuzz_*.c))
fuzz_bin := $(patsubst tests/fuzz/fuzz_%.c,$(B)/fuzz/%,$(fuzz_src))

$(B)/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/exercise.h $(B)/libcodeobj.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CCLD    $@")
	$(Q)$(CC) $(all_cflags) -fsanitize=fuzzer $(all_ldflags) -o $@ $< $(B)/libcodeobj.a $(dep_libs)

.PHONY: fuzz fuzz-built
fuzz: deps
	$(Q).ci/deps san
	$(Q)$(MAKE) --no-print-directory MODE=fuzz CC=$(FUZZ_CC) fuzz-built
fuzz-built: $(fuzz_bin)
	$(Q)for f in $(fuzz_bin); do \
	    n=$$(basename $$f); mkdir -p $(O)/fuzz/corpus/$$n tests/fuzz/corpus/$$n; \
	    seeds=tests/fuzz/corpus/$$n; [ $$n != object ] || seeds="$$seeds fixtures/objects"; \
	    [ $$n != container ] || seeds="$$seeds fixtures/containers"; \
	    echo "== fuzz $$n, $(FUZZ_SECONDS) s"; \
	    $$f -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=$(O)/fuzz/corpus/$$n/ $(O)/fuzz/corpus/$$n $$seeds || exit 1; \
	done

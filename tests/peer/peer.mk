# SPDX-License-Identifier: MIT
#
# The comparison with LLVM 22 that links its library; built by tests/peer/isa.sh
# alone, so that nothing else needs LLVM.
peer_isa_src := $(sort $(wildcard tests/peer/isa_*.c))
LLVM_CONFIG  ?= llvm-config-22

$(B)/tests/isa_peer: $(peer_isa_src) tests/peer/isa_peer.h $(B)/libcodeobj.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CCLD    $@")
	$(Q)$(CC) $(all_cflags) -I$$($(LLVM_CONFIG) --includedir) $(all_ldflags) -o $@ $(peer_isa_src) $(B)/libcodeobj.a $(dep_libs) $$($(LLVM_CONFIG) --ldflags --libs)

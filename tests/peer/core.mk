# SPDX-License-Identifier: MIT
#
# The program behind tests/peer/core.sh.
$(B)/tests/core_peer: tests/peer/core_peer.c $(B)/libcodeobj.a
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CCLD    $@")
	$(Q)$(CC) $(all_cflags) $(all_ldflags) -o $@ $< $(B)/libcodeobj.a $(dep_libs)

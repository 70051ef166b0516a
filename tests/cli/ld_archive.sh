#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Archives of which the link needs only a part: what it does not need is neither opened nor judged.
. "$(dirname "$0")/tap.inc"
ld=$B/amdld
cp "$fix"/ld/a.o "$fix"/ld/lib1.o "$fix"/ld/lib2.o "$fix"/ld/lib3.o "$fix"/ld/lib.a "$fix"/ld/thin.a "$tmp"
cd "$tmp" || exit 1
has() { grep -q -e "$1" "$2"; }
hasnt() { ! grep -q -e "$1" "$2"; }
link() { "$ld" "$@" >"$tmp/out" 2>"$tmp/err"; }

# ---- --print-archive-stats is a statistic ------------------------------------------------
size=$(wc -c <lib.a)
head -c $((size - 20)) lib.a >cut.a # lib3.o, which a.o does not need, is cut short
check "an archive whose last member is cut short" link -shared a.o cut.a -o cut.out
check "and statistics about it" link -shared a.o cut.a --print-archive-stats=stats -o cut.stats
check "the same image" cmp cut.out cut.stats
check "of the members that are whole" grep -qx "2	2	cut.a" stats
link -shared a.o lib.a --print-archive-stats=stats -o x
check "of a whole archive all members" grep -qx "3	2	lib.a" stats

# ---- members of thin archives ---------------------------------------------------------------
rm lib3.o
check "a member of a thin archive that nothing needs may be missing" link -shared a.o thin.a --dependency-file=dep -o x
check "it is no dependency" hasnt lib3.o dep
check "the others are, once each" test "$(grep -c 'lib[12].o:' dep)" = 2
check "also where the archive is first, and says what the operating system is" link -shared thin.a a.o --dependency-file=dep -o y
check "nothing is opened twice" test "$(grep -c ':$' dep)" = 4
cp "$fix/ld/lib3.o" .
link -shared lib.a a.o -o z
check "the same image as with an archive that holds its members" cmp y z
check "statistics of a thin archive open nothing" sh -c "rm lib3.o && '$ld' -shared a.o thin.a --print-archive-stats=stats --dependency-file=dep -o x && grep -qx '3	2	thin.a' stats"
check "--whole-archive needs all of them" sh -c "! '$ld' -shared a.o --whole-archive thin.a -o x 2>err && grep -q 'thin.a: could not get the buffer for the member lib3.o: No such file' err"
cat >want <<'D'
x: \
 a.o \
 lib.a

a.o:

lib.a:
D
link -shared a.o lib.a --dependency-file=dep -o x
check "--dependency-file as ld.lld writes it" cmp want dep

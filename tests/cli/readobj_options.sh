#!/bin/sh
# SPDX-License-Identifier: MIT
#
# amdreadobj's command line: help, unknown options, exit statuses, man page.
. "$(dirname "$0")/tap.inc"
co=$fix/containers/vadd.gfx900.co

help_ok() { run 0 "$ro" --help && has "$out" '^ +-h, --file-header ' && has "$out" '^usage: '; }
version() { run 0 "$ro" --version && same "amdreadobj 0.1.0" "$out"; }
unknown_word() { run 2 "$ro" --bogus "$co" && same "amdreadobj: error: unknown option '--bogus'; --help lists them" "$err"; }
unknown_long() { run 2 "$ro" --sectoins "$co" && same "amdreadobj: error: unknown option '--sectoins', did you mean '--sections'?" "$err" && same "" "$out"; }
unknown_far() { run 2 "$ro" --qqqqqqqqqq "$co" && has "$err" "unknown option '--qqqqqqqqqq'; --help"; }
unknown_short() { run 2 "$ro" -hQ "$co" && has "$err" "unknown option '-Q'"; }
no_file() { run 2 "$ro" && has "$err" 'no input file'; }
missing_arg() { run 2 "$ro" "$co" --target && has "$err" '--target needs an argument'; }
needless_arg() { run 2 "$ro" --list=x "$co" && has "$err" '--list takes no argument'; }
bad_choice() { run 2 "$ro" --format=xml "$co" && has "$err" '--format takes one of text\|json'; }
# What a JSON document has no key for is not left out in silence.
no_json() { for o in -d -D --symbol=vadd -x.text -p.dynstr --raw-metadata; do run 2 "$ro" --format=json "$o" "$co" && has "$err" '^amdreadobj: error: --format=json has no ' && same "" "$out" || return 1; done; }
two_modes() { run 2 "$ro" --list --targets "$co" && has "$err" 'do not go together'; }
dashdash() { cp "$co" "$tmp/-h" && (cd "$tmp" && run 0 "$ro" -h -- -h && has "$out" 'Type: +ET_DYN'); }
bundled() { run 0 "$ro" -hlS "$co" && has "$out" '^ELF header:' && has "$out" '^Program headers:' && has "$out" '^Sections:'; }
no_such_file() { run 1 "$ro" "$tmp/none" && same "amdreadobj: error: $tmp/none: cannot open: No such file or directory" "$err"; }
directory() { run 1 "$ro" "$tmp" && has "$err" 'Is a directory'; }
write_error() { [ -w /dev/full ] || return 0; "$ro" -a "$co" >/dev/full 2>"$tmp/.err"; [ $? -ne 0 ] && grep -q 'cannot write' "$tmp/.err"; }
pipe() { cat "$co" | "$ro" -h /dev/stdin | grep -q 'gfx900' && "$ro" -h - <"$co" | grep -q 'gfx900'; }
colour() { run 0 "$ro" --color=always -h "$co" && printf '%s' "$out" | grep -q "$(printf '\033')"'\[1m' && run 0 "$ro" -h "$co" && ! printf '%s' "$out" | grep -q "$(printf '\033')"; }
# Every option of --help is in the man page, and the other way round.
man_page() {
    page=$top/man/amdreadobj.1
    "$ro" --help | grep -Eo '^ +(-., )?--[a-z-]+' | grep -Eo -- '--[a-z-]+' | sort -u >"$tmp/help"
    sed 's/\\-/-/g; s/\\f[BIRP]//g' "$page" | awk '/^\.TP/ { getline; print }' | grep -Eo -- '--[a-z][a-z-]+' | sort -u >"$tmp/man"
    diff "$tmp/help" "$tmp/man"
}

check "--help lists the options" help_ok
check "--version" version
check "an unknown option suggests the nearest" unknown_long
check "an unknown option like no other" unknown_word
check "an unknown option far from all" unknown_far
check "an unknown letter" unknown_short
check "no JSON of listings and dumps" no_json
check "no input file is wrong usage" no_file
check "a missing argument" missing_arg
check "a needless argument" needless_arg
check "a choice that is none" bad_choice
check "two modes" two_modes
check "-- ends the options" dashdash
check "letters may stand together" bundled
check "a file that is not there" no_such_file
check "a folder" directory
check "a full disk is reported" write_error
check "reads from a pipe" pipe
check "colours when asked for" colour
check "man page and --help name the same options" man_page

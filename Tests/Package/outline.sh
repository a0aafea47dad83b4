#!/bin/sh
# outline.sh ASSEMBLY...: cmake/outline.awk takes out what it may, and leaves what would not do the same elsewhere.
# ASSEMBLY is what a build has made by it; a file that does not exist is not looked at.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
outline=${SOURCE:-$(cd "$here/../.." && pwd)}/cmake/outline.awk
work=$(mktemp -d "${WORK:-/tmp}/outline.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
printf 'declare void @real(ptr)\ndeclare void @variadic(ptr, ...)\ndefine void @marked() "nooutline"\n' >"$work/ir.ll"
failures=0

fail() {
  echo "$case: $*"
  failures=$((failures + 1))
}

# instructions INSTRUCTION;...: each in a line, its words behind tabs.
instructions() {
  printf '%s\n' "$1" | tr ';' '\n' | sed 's/^/	/; s/^\(	[a-z]*\) /\1	/'
}

# input NAME: 8 functions that have the instructions of `row` in common; `first`, `last` and the instruction next to
# each are their own.
input() {
  for place in 1 2 3 4 5 6 7 8; do
    echo "$1$place:"
    [ -z "${first:-}" ] || instructions "$first"
    instructions "movl \$$place, %r8d;$row;movl \$$place, %r9d"
    instructions "${last:-jmp tail$place}"
  done
}

# outlined CASE: `row`, in functions, behind what input comes in, after as many runs as a build makes.
outlined() {
  case=$1
  cat >"$work/s"
  input "${name:-function}" >>"$work/s"
  for run in 1 2 3 4; do
    awk -f "$outline" "$work/ir.ll" "$work/s" >"$work/shorter" || fail "run $run failed"
    mv "$work/shorter" "$work/s"
  done
  awk -f "$here/outlined.awk" "$work/s" >"$work/faults" || fail "$(cat "$work/faults")"
  first='' last='' name=''
}

has() {
  grep -qxF "$(instructions "$1")" "$work/s" || fail "has no: $1"
}

lacks() {
  ! grep -qF "$(instructions "$1")" "$work/s" || fail "has: $1"
}

common='movq 8(%rdi), %rdx;movq 16(%rdi), %rsi;movq 24(%rdi), %rcx'

row=$common
outlined plain </dev/null
has 'callq OUTLINED_1'

# A function that was folded has several names. It stays as it is if one of them is marked.
for names in 'marked other' 'other marked'; do
  row=$common
  { printf '%s:\n' $names && instructions "$row;retq"; } >"$work/marked"
  outlined "$names" <"$work/marked"
  [ "$(grep -c 'movq	24(%rdi), %rcx' "$work/s")" = 2 ] || fail 'was taken out'
done

row="$common;movq 16(%rsp), %rax;movq (%rsp), %rbx"
outlined 'reads the stack' </dev/null
has 'callq OUTLINED_FRAME_1'
has 'movq 24(%rsp), %rax'
has 'movq 8(%rsp), %rbx'

row="$common;movq %rsp, %rdi;movq %rsp, %r12"
outlined 'address of the stack' </dev/null
has 'leaq 8(%rsp), %rdi'
has 'leaq 8(%rsp), %r12'

row="$common;pushq \$-22;popq %rax"
outlined 'a small number' </dev/null
has 'callq OUTLINED_1'
row="pushq \$-22;popq %rax;popq %rbx;popq %r14;$common"
outlined 'a small number and another pop' </dev/null
row="$common;pushq \$-22;popq %rax;popq %rbx;addq \$8, %rsp"
outlined 'a small number before another pop' </dev/null
[ "$(grep -cF 'pushq	$-22' "$work/s")" = 1 ] || fail 'stays with the other pop'
for each in '8(%rsp)' %rsp; do
  row="$common;pushq \$-22;popq $each"
  outlined "a small number to $each" </dev/null
done

# What changes the stack's pointer, or stores it, stays. Functions may be made of what is beside it.
for each in 'pushq 16(%rsp)' 'popq 24(%rsp)' 'pushq (%rsp)' 'leaq 24(%rsp), %rsp' 'movq 24(%rsp), %rsp' \
  'movq %rsp, 24(%rsp)' 'movq %rsp, 24(%rdi)' 'addq $8, %rsp' 'leaq (%rdi,%rax), %rsp' 'cmpq %rsp, %rdi' \
  'xchgq %rsp, 8(%rsp)' 'movl %esp, %eax' leave; do
  row="movq 32(%rdi), %r10;$common;$each;$common;movq 40(%rdi), %r10"
  outlined "$each" </dev/null
  has "$each"
  [ "$(grep -cxF "$(instructions "$each")" "$work/s")" = 8 ] || fail 'was taken out'
done

# What is below the stack's pointer would be overwritten.
for each in '-8(%rsp)' '-24(%rsp,%rax,8)' '-8(%rsp,%rax,8)'; do
  row="$common;movq $each, %rbx;$common"
  outlined "$each" </dev/null
  lacks callq
done
name=OUTLINED_2
row="$common;$common"
last='jmp OUTLINED_10'
outlined 'jump to what is below' <<'END'
OUTLINED_10:
	jmp	OUTLINED_11
OUTLINED_11:
	movq	-8(%rsp), %rax
	retq
END
lacks callq

# %r11 has no value after a call of a function that LLVM knows. What was taken out keeps it.
row="$common;callq real;movq 40(%rdi), %rdx"
outlined 'a call' </dev/null
has 'popq %r11'
row="$common;callq real;movq 40(%rsp), %rdx;movq %rsp, %rsi"
outlined 'a call and the stack' </dev/null
has 'movq 56(%rsp), %rdx'
has 'leaq 16(%rsp), %rsi'
row="$common;callq variadic;movq 40(%rdi), %rdx;movq 48(%rdi), %rdx"
outlined 'a call that may look at the stack' </dev/null
lacks 'popq %r11'
first='movq (%rdi), %r11'
last='jmpq *%r11'
row="$common;callq OUTLINED_10;movq 40(%rdi), %rdx"
outlined 'a call of what was taken out' <<'END'
OUTLINED_10:
	movq	32(%rdi), %rcx
	retq
END
lacks 'popq %r11'
has 'callq OUTLINED_2'
first='movq (%rdi), %r11'
row="$common;callq OUTLINED_10;movq 40(%rdi), %rdx"
outlined 'a call of what was taken out and calls' <<'END'
OUTLINED_10:
	jmp	OUTLINED_11
OUTLINED_11:
	movq	32(%rdi), %rcx
	jmp	real
END
has 'popq %r11'
last='jmpq *%r11'
row="$common;callq real;callq OUTLINED_10;movq 40(%rdi), %rdx"
outlined 'a call, and what was taken out and sets %r11' <<'END'
OUTLINED_10:
	jmp	OUTLINED_11
OUTLINED_11:
	movq	32(%rdi), %r11
	retq
END
lacks 'popq %r11'

# A function's entry becomes a call; what was taken out may begin where %r11 has a value.
row=$common
for name in function OUTLINED_2; do
  kind=$name
  first='pushq %rbx;pushq %r12;pushq %r13;pushq %r14;pushq %r15;subq $16, %rsp'
  outlined "the entry of $name" </dev/null
  case $kind in
    function) has 'callq OUTLINED_ENTRY_1' ;;
    *) lacks 'callq OUTLINED_ENTRY' ;;
  esac
done

for assembly; do
  case=$assembly
  [ ! -e "$assembly" ] || awk -f "$here/outlined.awk" "$assembly" >"$work/faults" || fail "$(cat "$work/faults")"
done
exit $((failures > 0))

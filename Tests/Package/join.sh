#!/bin/sh
# join.sh OUTLINED ASSEMBLY...: cmake/fold.awk keeps one of the functions that are the same, and cmake/join.awk puts
# functions beside those that they jump to. OUTLINED is what a build has before the last step, and ASSEMBLY what it has
# after it; files that do not exist are not looked at.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cmake=${SOURCE:-$(cd "$here/../.." && pwd)}/cmake
work=$(mktemp -d "${WORK:-/tmp}/join.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failures=0 case=''

fail() {
  echo "$case: $*"
  failures=$((failures + 1))
}

# function NAME INSTRUCTION;... [DIRECTIVE]: as LLVM writes it. A jump or a label has its own line, too.
function() {
  printf '\t.section\t.text.%s,"ax",@progbits\n%s\t.type\t%s,@function\n%s: # @%s\n' "$1" "${3:-}" "$1" "$1" "$1"
  printf '%s\n' "$2" | tr ';' '\n' | sed '/:$/!s/^/	/; s/^\(	[a-z]*\) /\1	/'
  printf '.Lfunc_end_%s:\n\t.size\t%s, .Lfunc_end_%s-%s\n' "$1" "$1" "$1" "$1"
}

# table NAME FUNCTION: what tells how a closure's context is destroyed.
table() {
  printf '\t.type\t.Lmetadata%s,@object\n\t.section\t.data.rel.ro.metadata%s,"aw",@progbits\n' "$1" "$1"
  printf '\t.p2align\t3, 0x0\n.Lmetadata%s:\n\t.quad\t0\n\t.quad\t%s\n\t.size\t.Lmetadata%s, 16\n\n' "$1" "$2" "$1"
}

# folded CASE, joined CASE: what comes in, after the step.
folded() {
  case=$1
  awk -f "$cmake/fold.awk" - >"$work/s" || fail 'failed'
}

joined() {
  case=$1
  cat >"$work/before"
  printf 'usual\nusual_too\n' | awk -f "$cmake/join.awk" - "$work/before" >"$work/s" || fail 'failed'
  awk -f "$here/joined.awk" "$work/before" "$work/s" >"$work/faults" || fail "$(cat "$work/faults")"
}

# counts NUMBER TEXT: so many lines begin with the text.
counts() {
  [ "$(grep -c "^$2" "$work/s")" = "$1" ] || fail "has not $1 of: $2"
}

# sections NAMES...: the sections of functions, by their first names.
sections() {
  names=$(sed -n 's/^	.section	.text.\(.*\),"ax".*/\1/p' "$work/s" | tr '\n' ' ')
  [ "$names" = "$* " ] || fail "has sections: $names"
}

{
  function one 'movl $1, %eax;jne .LBB1_2;ud2;.LBB1_2:;retq'
  function two 'movl $1, %eax;jne .LBB2_2;ud2;.LBB2_2:;retq # note' '	.globl	two
'
  function other 'movl $2, %eax;jne .LBB3_2;ud2;.LBB3_2:;retq'
} | folded 'two of three'
sections one other
for name in one two other; do counts 1 "$name:"; counts 1 "	.size	$name,"; done
counts 1 '	.globl	two'

{
  function last 'callq middle2;retq'
  function last2 'callq middle;retq'
  function middle 'jmp first'
  function middle2 'jmp first2'
  function first 'callq first;retq'
  function first2 'callq first2;retq'
  table .1 first
  table .2 first2
  function user 'leaq .Lmetadata.1(%rip), %rdi;jmp allocate'
  function user2 'leaq .Lmetadata.2(%rip), %rdi;jmp allocate'
} | folded 'what refers to the same'
sections last middle first user
counts 1 '	.quad	0'
counts 1 '.Lmetadata.2:'

{
  function one 'movslq .LJTI1_0(%rax), %rax;retq'
  function two 'movslq .LJTI2_0(%rax), %rax;retq'
  function three 'callq first;retq'
  function four 'callq second;retq'
} | folded 'what refers to something else'
sections one two three four

{
  function target 'movl $1, %eax;retq'
  function between 'movl $2, %eax;retq'
  function longer 'movl $3, %ebx;movl $4, %ecx;jmp target'
  function shorter 'movl $5, %ebx;jmp target'
} | joined 'a jump at the end'
sections between longer
counts 1 '	jmp	target'

{
  function one 'jne .LBB1_2;jmp two;.LBB1_2:;retq'
  function two 'movl $1, %eax;jmp *%rax'
  function three 'jmp .LBB3_1;.LBB3_1:;jmp two@PLT # TAILCALL'
} | joined 'a jump that is not at the end'
sections one
counts 1 '	jmp	two'

{
  function one 'movl $1, %eax;jmp two'
  function two 'movl $2, %eax;jmp one'
} | joined 'a circle'
counts 1 '	jmp	'

{
  function one 'movl $1, %eax;jmp two' '	.globl	one
'
  function two 'movl $2, %eax;jmp three'
  function three 'movl $3, %eax;retq' '	.weak	three
'
} | joined 'what others may leave out or define'
sections one two three

long='movq a(%rip), %rax;movq b(%rip), %rax;movq c(%rip), %rax;movq d(%rip), %rax;callq e'
{
  function seldom "$long;jmp OUTLINED_1"
  function usual "$long;jmp OUTLINED_1"
  function OUTLINED_1 'movl $1, %eax;retq'
  function seldom_too "$long;callq OUTLINED_FRAME_2;jmp OUTLINED_3"
  function OUTLINED_FRAME_2 'movl 8(%rsp), %eax;retq'
  function OUTLINED_3 'movl $3, %eax;retq'
} | joined 'what usually runs, and what does not'
sections seldom usual seldom_too OUTLINED_COLD_FRAME_2
counts 1 OUTLINED_1:
counts 1 OUTLINED_COLD_3:
counts 1 '	callq	OUTLINED_COLD_FRAME_2'
{
  function usual "$long;jmp OUTLINED_1"
  function OUTLINED_1 'callq OUTLINED_2;retq'
  function OUTLINED_2 'movl $1, %eax;retq'
  function seldom 'jmp OUTLINED_2'
} | joined 'a short one is no harm'
sections usual seldom
counts 1 OUTLINED_2:

case='the libraries'
while [ $# -gt 1 ]; do
  [ ! -e "$2" ] || awk -f "$here/joined.awk" "$1" "$2" >"$work/faults" || fail "$(head "$work/faults")"
  shift 2
done
exit $((failures > 0))

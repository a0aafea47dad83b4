#!/bin/sh
# shorten.sh IR ASSEMBLY: makes the assembly of the last module, for x86-64, shorter. Beside it remains what there was
# before functions were joined, NAME.outlined.s, which Tests/Package/outline.sh looks at.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
outlined=${2%.s}.outlined.s

# shorten STEP [FILE]: one step, which reads FILE before the assembly.
shorten() {
  awk -f "$here/$1.awk" ${2+"$2"} "$outlined" >"$outlined.shorter"
  mv "$outlined.shorter" "$outlined"
}

mv "$2" "$outlined"
shorten fold
# Again, because what has been taken out has something in common, too.
for run in 1 2 3 4; do shorten outline "$1"; done
# What was taken out may be the same as a function.
shorten fold
awk -f "$here/join.awk" "$here/order.txt" "$outlined" >"$2"
sed -E -i -f "$here/no_plt.sed" "$2"

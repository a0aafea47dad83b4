#!/bin/sh
# size.sh LIMIT: the stripped library is smaller than LIMIT bytes, and has no more functions of the outliners than the
# linker puts beside each other (BELAY_ORDER in CMakeLists.txt).
set -eu
"$STRIP" -o "$WORK/stripped.so" "$LIBRARY"
size=$(wc -c <"$WORK/stripped.so")
echo "$size bytes of $1"
[ "$size" -lt "$1" ] || {
  echo "Make the code smaller, or raise the limit in Tests/Package/CMakeLists.txt, and say in the commit for what."
  exit 1
}
taken_out=$("${NM:-nm}" "$LIBRARY" | sed -n 's/.* OUTLINED_[A-Z_]*//p' | sort -n | tail -n 1)
echo "${taken_out:=0} functions were taken out of others"
[ "$taken_out" -le 3000 ]

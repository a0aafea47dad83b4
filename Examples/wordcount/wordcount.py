"""wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is
a run of letters from A to Z, in any bytes."""

import re
import sys
from collections import Counter

from libbelay import BelayError, Loop, file_lines


def words_of(line: str | bytes) -> list[str]:
    text = line if isinstance(line, str) else line.decode(errors="replace")
    return [word.lower() for word in re.findall("[A-Za-z]+", text)]


def report(words: list[str]) -> None:
    counts = Counter(words)
    print(f"{len(words)} words, {len(counts)} different")
    for word, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:10]:
        print(f"{count:5} {word}")


def main(path: str) -> int:
    with Loop() as loop:
        words = file_lines(path).concat_map(words_of).collect()
        try:
            report(words.wait_last(loop))
        except BelayError as error:
            print(f"wordcount: {error.message}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))

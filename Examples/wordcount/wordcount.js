'use strict';
/* wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is a run of letters
 * from A to Z, in any bytes. */
const { Signal } = require('libbelay');

const wordsOf = (line) => (String(line).match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase());

function report(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const byCount = ([a, n], [b, m]) => m - n || (a < b ? -1 : 1);
  const lines = [...counts].sort(byCount).map(([word, count]) => `${String(count).padStart(5)} ${word}`);
  process.stdout.write(`${[`${words.length} words, ${counts.size} different`, ...lines.slice(0, 10)].join('\n')}\n`);
}

async function main(path) {
  try {
    report(await Signal.fileLines(path).concatMap(wordsOf).collect().toPromise());
  } catch (error) {
    console.error(`wordcount: ${error.message}`);
    process.exitCode = 1;
  }
}

main(process.argv[2] ?? '');

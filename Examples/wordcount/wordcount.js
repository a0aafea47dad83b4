'use strict';
/* wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. */
const { Signal } = require('libbelay');

const wordsOf = (line) => line.toLowerCase().match(/[a-z]+/g) ?? [];

function report(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  console.log(`${words.length} words, ${counts.size} different`);
  const byCount = ([a, n], [b, m]) => m - n || (a < b ? -1 : 1);
  for (const [word, count] of [...counts].sort(byCount).slice(0, 10)) {
    console.log(`${String(count).padStart(5)} ${word}`);
  }
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

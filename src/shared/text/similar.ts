/** At most three similar words, the most similar first. */
export function similar(word: string, known: readonly string[]): readonly string[] {
  // One typo in a short word, more in a long one.
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 5));
  return known
    .map((name) => ({ name, far: distance(word, name, most) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The Levenshtein distance, or `most` + 1 if it is larger than `most`. */
function distance(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let length = 1; length <= a.length; length++) {
    row = nextRow(row, a[length - 1], length, b, most);
    if (Math.min(...row) > most) return far;
  }
  return row[b.length] ?? far;
}

/** The distances of the first `length` letters of a word to each beginning of `b`; `letter` is the last of them. */
function nextRow(
  row: readonly number[],
  letter: string | undefined,
  length: number,
  b: string,
  most: number,
): number[] {
  const far = most + 1;
  const next = new Array<number>(b.length + 1).fill(far);
  if (length <= most) next[0] = length;
  // Cells further than `most` from the diagonal are larger than `most`.
  for (let j = Math.max(1, length - most); j <= Math.min(b.length, length + most); j++) {
    const change = (row[j - 1] ?? far) + (letter === b[j - 1] ? 0 : 1);
    next[j] = Math.min(change, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1);
  }
  return next;
}

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
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(far);
    if (i <= most) next[0] = i;
    let nearest = next[0] ?? far;
    // Cells further than `most` from the diagonal are larger than `most`.
    for (let j = Math.max(1, i - most); j <= Math.min(b.length, i + most); j++) {
      const change = (row[j - 1] ?? far) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const here = Math.min(change, (row[j] ?? far) + 1, (next[j - 1] ?? far) + 1);
      next[j] = here;
      nearest = Math.min(nearest, here);
    }
    if (nearest > most) return far;
    row = next;
  }
  return row[b.length] ?? far;
}

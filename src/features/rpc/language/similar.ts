/** The words that somebody who wrote this one may have meant, at most three, the nearest first. */
export function similar(word: string, known: readonly string[]): readonly string[] {
  // One slip in a short word, more in a long one.
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 5));
  return known
    .map((name) => ({ name, far: distance(word, name, most) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein's, given up beyond `most`. */
function distance(a: string, b: string, most: number): number {
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(far);
    if (i <= most) next[0] = i;
    let nearest = next[0] ?? far;
    // Further from the diagonal than `most` nothing counts.
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

/** The first place at or after `from`; -1 without one. */
export type Search = (text: string, from: number) => number;

/** For longer texts, `indexOf` may compare nearly all of it at each place of the file. */
const longestNative = 64;
/** Places at which only the start of a longer text was found, before the search that is linear for each text. */
const mostTries = 16;

/** Searches in linear time: by `indexOf` for the start of the text, unless that stands at many other places. */
export function searchFor(sought: string): Search {
  if (sought.length <= longestNative) return (text, from) => text.indexOf(sought, from);
  const start = sought.slice(0, longestNative);
  let linear: Search | undefined;
  return (text, from) => {
    let at = text.indexOf(start, from);
    for (let tries = 0; at >= 0 && tries < mostTries; tries++) {
      if (text.startsWith(sought, at)) return at;
      at = text.indexOf(start, at + 1);
    }
    if (at < 0) return -1;
    linear ??= linearSearch(sought);
    return linear(text, at);
  };
}

/** Knuth, Morris, Pratt, "Fast Pattern Matching in Strings", 1977. */
function linearSearch(sought: string): Search {
  // For each length of a matching part: the length of the longest shorter one with which it also ends.
  const shorter = new Int32Array(sought.length + 1);
  for (let at = 1, length = 0; at < sought.length; shorter[++at] = length) {
    while (length > 0 && sought.charCodeAt(at) !== sought.charCodeAt(length)) length = shorter[length] ?? 0;
    if (sought.charCodeAt(at) === sought.charCodeAt(length)) length += 1;
  }
  return (text, from) => {
    for (let at = from, length = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (length > 0 && unit !== sought.charCodeAt(length)) length = shorter[length] ?? 0;
      if (unit === sought.charCodeAt(length)) length += 1;
      if (length === sought.length) return at + 1 - length;
    }
    return -1;
  };
}

/** The number of line feeds in a part of a text. */
export function countBreaks(text: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) found += 1;
  return found;
}

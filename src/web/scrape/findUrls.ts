/** A web address in a text. */
export interface FoundUrl {
  readonly url: string;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
}

const address = /\bhttps?:\/\/[^\s<>"`{}|\\^]+/gi;
const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** All http and https URLs in a text, without punctuation of the sentence around them. */
export function findUrls(text: string): FoundUrl[] {
  return [...text.matchAll(address)].flatMap((match) => {
    const url = trimmed(match[0]);
    return URL.canParse(url) ? [{ url, start: match.index, end: match.index + url.length }] : [];
  });
}

/**
 * The lines of a list of addresses that are none. A text is a list if most of its lines are an address, with or without
 * a mark before it; other texts have no bad lines.
 */
export function badLines(text: string): readonly string[] {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^(?:[-*+•]|\d+[.)])\s+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  const isAddress = (line: string) => findUrls(line).length === 1 && !/\s/.test(line);
  const good = lines.filter(isAddress).length;
  if (good * 2 <= lines.length) return [];
  return lines.filter((line) => findUrls(line).length === 0);
}

/** A host without a scheme, in any script, with or without a path. */
const hostAlone = /^[\p{L}\p{N}\p{M}_-]+(\.[\p{L}\p{N}\p{M}_-]+)+([/?#:].*)?$/u;

/** Reads typed URLs, without duplicates. `problem` describes the first invalid one. A host alone is valid. */
export function typedUrls(text: string): { readonly urls: readonly string[]; readonly problem?: string } {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { urls: [], problem: "Type an address." };
  const urls = words.map((word) => (hostAlone.test(word) ? `https://${word}` : word));
  const wrong = urls.find((url) => !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url) || !URL.canParse(url));
  if (wrong === undefined) return { urls: [...new Set(urls)] };
  const name =
    words.length === 1 ? wrong : text.trim().length <= 60 && !/:\/\//.test(text) ? text.trim() : wrong;
  return { urls: [], problem: `“${name}” is not a web address. Type one like https://example.org/page.` };
}

/** Starts of comments in most languages. */
const commentStart = /(?:^|\s|[;{}(),])(?:\/\/|#|--|;|%|\/\*|<!--|"""|REM\s)|^\s*\*/i;

/** The URLs of a line to offer: all of them in prose, only those in comments in code. */
export function urlsForReaders(line: string, languageId: string): FoundUrl[] {
  const urls = findUrls(line);
  if (prose.has(languageId)) return urls;
  return urls.filter(({ start }) => commentStart.test(line.slice(0, start)));
}

const prose = new Set(["markdown", "plaintext", "restructuredtext", "asciidoc", "latex", "git-commit"]);

/** Cuts punctuation of the surrounding sentence, and a closing bracket that was opened before the URL. */
function trimmed(found: string): string {
  let end = found.length;
  const opened = openedIn(found);
  while (end > 0) {
    const last = found[end - 1] ?? "";
    const opener = closers[last];
    const isUnbalanced = opener !== undefined && (opened.get(opener) ?? 0) < 0;
    if (!isUnbalanced && !/[.,;:!?'*_~]/.test(last)) break;
    if (isUnbalanced) add(opened, opener, 1);
    end -= 1;
  }
  return found.slice(0, end);
}

/** By opening bracket, how many of them are not closed; negative if more are closed. */
function openedIn(text: string): Map<string, number> {
  const opened = new Map<string, number>();
  for (const character of text) {
    if (character in closers) add(opened, closers[character] ?? "", -1);
    if (character === "(" || character === "[") add(opened, character, 1);
  }
  return opened;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

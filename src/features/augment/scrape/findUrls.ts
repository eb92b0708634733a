/** A web address in a text. */
export interface FoundUrl {
  readonly url: string;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

const address = /\bhttps?:\/\/[^\s<>"`{}|\\^]+/gi;
const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** All http and https addresses in a text, as a reader sees them: without the full stop or bracket after them. */
export function findUrls(text: string): FoundUrl[] {
  return [...text.matchAll(address)].flatMap((match) => {
    const url = trimmed(match[0]);
    return URL.canParse(url) ? [{ url, start: match.index, end: match.index + url.length }] : [];
  });
}

/** Reads typed addresses, each once, with the reason for those that are invalid. A bare host counts as a page. */
export function typedUrls(text: string): { readonly urls: readonly string[]; readonly problem?: string } {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { urls: [], problem: "There is no address: type one." };
  const urls = words.map((word) => (/^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(word) ? `https://${word}` : word));
  const wrong = urls.find((url) => !/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url) || !URL.canParse(url));
  if (wrong === undefined) return { urls: [...new Set(urls)] };
  const name =
    words.length === 1 ? wrong : text.trim().length <= 60 && !/:\/\//.test(text) ? text.trim() : wrong;
  return { urls: [], problem: `“${name}” is no web address: https://example.org/page is one.` };
}

/** What may stand between the start of a line and an address in a comment of most languages. */
const commentStart = /(?:^|\s|[;{}(),])(?:\/\/|#|--|;|%|\/\*|<!--|"""|REM\s)|^\s*\*/i;

/** The addresses of a line that are there to be read: in prose all of them, in code those in comments. */
export function urlsForReaders(line: string, languageId: string): FoundUrl[] {
  const urls = findUrls(line);
  if (prose.has(languageId)) return urls;
  return urls.filter(({ start }) => commentStart.test(line.slice(0, start)));
}

const prose = new Set(["markdown", "plaintext", "restructuredtext", "asciidoc", "latex", "git-commit"]);

/** An address ends before punctuation of the sentence around it, and before a bracket that opened before it. */
function trimmed(found: string): string {
  let end = found.length;
  const opened = new Map<string, number>();
  for (const character of found) {
    if (character in closers) add(opened, closers[character] ?? "", -1);
    if (character === "(" || character === "[") add(opened, character, 1);
  }
  while (end > 0) {
    const last = found[end - 1] ?? "";
    const opener = closers[last];
    const isLoose = opener !== undefined && (opened.get(opener) ?? 0) < 0;
    if (!isLoose && !/[.,;:!?'*_~]/.test(last)) break;
    if (isLoose) add(opened, opener, 1);
    end -= 1;
  }
  return found.slice(0, end);
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** A file name or a path, without blanks: `play.test.ts`, `src/a.ts`, `Dockerfile` is none. */
const file = String.raw`(?:[\w@.()[\]-]+[\\/])*[\w@.()[\]-]*\w\.\w{1,10}`;
const wholeFile = new RegExp(`^${file}$`);
const commentOfFile = new RegExp(
  String.raw`^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?(${file})\s*(?:\*\/|-->)?\s*$`,
  "i",
);
const inText = new RegExp(String.raw`(?<![\w./\\-])${file}(?![\w/\\])`, "g");
/** A longer text before code is no caption of it. */
const longestCaption = 400;

/**
 * The file that code is for, if its fence names none: a first line that is a comment with only the path, or the sentence
 * before it that names one file and ends with a colon. A heading may be the name alone.
 */
export function fileNamedBy(source: string, frame: Element): string | undefined {
  const first = source.split("\n", 1)[0] ?? "";
  return commentOfFile.exec(first)?.[1] ?? fileInCaption(captionOf(frame));
}

/** The block directly before; blocks of an answer are grouped. */
function captionOf(frame: Element): Element | undefined {
  for (let element: Element | null = frame; element; element = element.parentElement) {
    if (element.classList.contains("markdown")) return undefined;
    const before = element.previousElementSibling;
    if (before) return deepestLast(before);
  }
  return undefined;
}

function deepestLast(element: Element): Element {
  const last = element.lastElementChild;
  return element.classList.contains("chunk") && last ? deepestLast(last) : element;
}

function fileInCaption(caption: Element | undefined): string | undefined {
  const text = caption?.textContent?.trim() ?? "";
  if (!caption || !/^(?:P|H[1-6])$/.test(caption.tagName) || text.length > longestCaption) return undefined;
  const bare = text.replace(/[:：]$/, "").trim();
  if (wholeFile.test(bare)) return bare;
  if (!/[:：]$/.test(text)) return undefined;
  const last = text.split(/(?<=[.!?])\s+/).at(-1) ?? "";
  const named = new Set(last.match(inText) ?? []);
  return named.size === 1 ? [...named][0] : undefined;
}

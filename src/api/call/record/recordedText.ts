/** A text as a record keeps it. */
export interface RecordedText {
  readonly text: string;
  /** True if it is not all that was sent: it was too long, or has data of files, or secrets. */
  readonly isChanged: boolean;
}

/** What must not be in a record: the credentials of the request, and what the caller says. */
export interface Secrets {
  readonly values: readonly string[];
  readonly hide: ((text: string) => string) | undefined;
}

/** Characters of a body that a record keeps. */
export const maxRecordedText = 262_144;
/** A body is searched for data of files up to this length. What follows is never kept. */
const maxSearched = 4 * maxRecordedText;

/** Stands in place of a secret. */
const hidden = "***";

/** Members of JSON whose values are secrets wherever they are, also in JSON inside a text. */
const secretMembers =
  "api_?keys?|authorization|cookies?|passwd|password|passphrase|private_?key|mnemonic|seed_?phrase|client_?secret|secret(?:_?key)?|access_?token|refresh_?token|id_?token|auth_?token|session_?token|signature";
const inJson = new RegExp(`("(?:${secretMembers})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, "gi");
const inQuotedJson = new RegExp(`(\\\\"(?:${secretMembers})\\\\"\\s*:\\s*\\\\")(?:[^"\\\\]|\\\\[^"])*`, "gi");
const inQuery = new RegExp(`([?&](?:${secretMembers}|key|token|sig|auth)=)[^&#\\s"'<>\\\\]+`, "gi");
const userInfo = /(\b[a-z][a-z\d+.-]{1,20}:\/\/)[^\s/"'@<>\\]{1,200}@/gi;
/** Not the words of a text: with a digit, and long. */
const credentials = /\b((?:Bearer|Basic)\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/gi;
/** Keys of services, by the beginnings that they have so that scanners find them. */
const serviceKeys =
  /\b(?:(?:sk|rk|pk_live|sk_live|sk-proj)[-_][\w-]{16,}|(?:ghp|gho|ghs|github_pat|glpat|xox[abps])[-_][\w-]{16,}|AKIA[0-9A-Z]{16}\b|AIza[\w-]{30,})/g;
/**
 * A signed token has three parts. Words that begin like one are matched, too, so that each is read once: a page full of
 * them would else be searched for a time that grows with the square of its length.
 */
const tokens = /\beyJ[\w-]{8,}(\.eyJ[\w-]{8,}\.[\w-]*)?/g;

/** The text without secrets and without data of files, and at most `maxRecordedText` characters of it. */
export function recordedText(whole: string, secrets: Secrets): RecordedText {
  const searched = whole.slice(0, maxSearched);
  const clean = withoutSecrets(withoutData(searched), secrets);
  const text = clean.slice(0, maxRecordedText);
  return { text, isChanged: text !== whole };
}

/** A text without secrets. A secret at its end, which was cut off, is removed as well. */
export function withoutSecrets(text: string, { values, hide }: Secrets): string {
  const forms = values.filter((value) => value !== "").flatMap(formsOf);
  const known = forms.reduce((rest, form) => rest.replaceAll(form, hidden), text);
  const named = known
    .replace(inJson, `$1${hidden}`)
    .replace(inQuotedJson, `$1${hidden}`)
    .replace(inQuery, `$1${hidden}`)
    .replace(userInfo, `$1${hidden}@`)
    .replace(credentials, `$1${hidden}`)
    .replace(serviceKeys, hidden)
    .replace(tokens, (word: string, others?: string) => (others === undefined ? word : hidden));
  return forms.reduce(withoutItsStart, hide?.(named) ?? named);
}

function formsOf(value: string): string[] {
  return [...new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])];
}

function withoutItsStart(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= 6; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${hidden}`;
  return text;
}

/** Shorter data, such as that of an icon or a hash, is left. */
const data = /(;base64,|")([A-Za-z\d+/]{1024,}={0,2})/g;
const hexadecimal = /^(?:0x)?[\da-f]+$/i;

/** Pictures, audio and documents in base64 become their size. Hexadecimal digits stay: they are chain data. */
function withoutData(text: string): string {
  if (text.length < 1024) return text;
  return text.replace(data, (all: string, start: string, digits: string, offset: number) => {
    if (hexadecimal.test(digits)) return all;
    const isCut = offset + all.length === text.length;
    const bytes = Math.floor((digits.length * 3) / 4).toLocaleString("en-US");
    return `${start}[${isCut ? "more than " : ""}${bytes} bytes]`;
  });
}

const secretHeader = /auth|cookie|secret|token|password|credential|sign|session|api-?key|x-payment|payment-/i;
const publicHeader = /^(?:x-ratelimit-|idempotency-key$|idempotent-|cf-)/i;

/** Headers as a record keeps them: the values of credentials are hidden by the names of the headers. */
export function recordedHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const kept = [...headers].map(([name, value]) => {
    const isSecret = secretHeader.test(name) && !publicHeader.test(name);
    return [name, isSecret ? hidden : withoutSecrets(value, secrets).slice(0, maxHeader)];
  });
  return Object.fromEntries(kept);
}

const maxHeader = 2_000;

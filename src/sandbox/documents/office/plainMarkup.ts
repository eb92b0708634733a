import { characterEntities } from "character-entities";

/** Elements whose text is not shown. */
const unseen = /<(script|style|head|title)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const blocks = /<\/?(?:p|div|h[1-6]|li|ul|ol|tr|table|br|hr|section|article|blockquote|pre)\b[^>]*>/gi;

/**
 * The text of HTML or MHTML that a DOCX file contains as a part of its own (17.17.2), by block; plain text as it is.
 */
export function plainMarkup(source: string): string {
  const markup = bodyOf(source);
  if (!/<\w+[^>]*>/.test(markup)) return markup.trim();
  const text = markup
    .replace(unseen, "")
    .replace(/\s+/g, " ")
    .replace(/<\/t[dh]\s*>\s*(?=<t[dh]\b)/gi, " | ")
    .replace(/<li\b[^>]*>/gi, "\n\n- ")
    .replace(blocks, "\n\n")
    .replace(/<[^>]*>/g, "");
  return decodeEntities(text)
    .split(/\s*\n\s*/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join("\n\n");
}

/** MHTML has headers of mail, and the HTML often in quoted-printable. */
function bodyOf(source: string): string {
  if (!/^(?:MIME-Version|From|Content-Type|Subject|Date):/im.test(source.slice(0, 2000))) return source;
  const part =
    source.split(/^--\S+\s*$/m).find((each) => /^content-type:\s*text\/html/im.test(each)) ?? source;
  const end = /\r?\n\r?\n/.exec(part);
  const [headers, body] = end ? [part.slice(0, end.index), part.slice(end.index)] : ["", part];
  if (/transfer-encoding:\s*base64/i.test(headers)) return Buffer.from(body, "base64").toString("utf8");
  if (!/transfer-encoding:\s*quoted-printable/i.test(headers)) return body;
  const bytes = body
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return characterEntities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

import { characterEntities } from "character-entities";

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** The character reference of HTML at `offset`, if one stands there: what it means and where it ends. */
export function referenceAt(
  source: string,
  offset: number,
): { readonly text: string; readonly end: number } | undefined {
  reference.lastIndex = offset;
  const match = reference.exec(source);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const end = offset + whole.length;
  if (name === undefined)
    return { text: fromCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)), end };
  const text = Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  return text === undefined ? undefined : { text, end };
}

/** Either is text that stands for something else; an escaped `&` begins no reference. */
const escapeOrReference = /\\([!-/:-@[-`{-~])|&#?\w{1,32};/g;

/** `text` without the backslashes of its escapes, and with its references replaced (destinations, info strings). */
export function unescaped(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    escapeOrReference,
    (written, escaped?: string) => escaped ?? referenceAt(written, 0)?.text ?? written,
  );
}

function fromCode(code: number): string {
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return impossible ? "\ufffd" : String.fromCodePoint(code);
}

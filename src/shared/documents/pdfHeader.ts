/** The header of a PDF. Other bytes may stand before it, within the first 1024 (ISO 32000-1, H.3.4.1). */
const header = /%PDF-\d\.\d/;
/** Objects, a compressed one, or the comment of binary bytes that writers put below the header. */
const inside = /\b\d+\s+\d+\s+obj\b|\bstartxref\b|%PDF-\d\.\d[^\n\r]{0,40}[\r\n]+%[^\n]{0,8}[\x80-\xff]{2}/;

/**
 * True for the beginning of a PDF file. Text that is about PDF names the header, too: it has no objects. `head`: as much
 * of the file as there is at hand.
 */
export function isPdf(head: Uint8Array): boolean {
  const latin1 = new TextDecoder("latin1");
  if (!header.test(latin1.decode(head.subarray(0, 1024)))) return false;
  const start = latin1.decode(head.subarray(0, 16_384));
  return inside.test(start) || hasControls(start);
}

function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 9) return true;
  return false;
}

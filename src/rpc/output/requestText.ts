/**
 * A line of a cell for a table row: on one line, without its name, with long hex digits and signatures shortened. The
 * patterns run in linear time because names are bounded and matches begin only at the start of a run.
 */
export function requestText({
  source,
  method,
}: {
  readonly source: string;
  readonly method: string;
}): string {
  const asked = /^\s*[{[]/.test(source)
    ? fromJson(source, method)
    : source.replace(/^\s*[A-Za-z_]\w*\s*=\s*/, "");
  const text = asked
    .split(/\s+/)
    .join(" ")
    .trim()
    .replace(/0x[0-9a-fA-F]{17,}/g, (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`)
    .replace(
      /([A-Za-z_]\w{0,99})\(([^()]{1,400})\)(?:\s*(?:view\s+)?(?:returns\s*)?\([^()]{0,400}\))?/g,
      "$1(…)",
    );
  return text === "" ? method : text;
}

/** The JSON-RPC method and its parameters as written. */
function fromJson(source: string, method: string): string {
  const at = source.indexOf('"params"');
  const params =
    at < 0 ? "" : source.slice(source.indexOf(":", at) + 1).replace(/^\s*\[|(?<!["\]}\s,])["\]}\s,]+$/g, "");
  return `${method} ${params.replaceAll('"', "").trim()}`;
}

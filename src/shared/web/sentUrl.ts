/** What may stand in a URI (RFC 3986, 2). A URL of the web's standard may have `|`, `\\`, `^` and more. */
const notInUri = /[^\w\-.~:/?#[\]@!$&'()*+,;=%]|%(?![\da-f]{2})/gi;

/**
 * A web address as it is sent: a URI, its host in ASCII, so that look-alike letters are visible. The same for whoever
 * typed, found or was given it. Undefined if it is no URL.
 */
export function sentUrl(text: string): string | undefined {
  const address = text.trim();
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const uri = url.href.replace(notInUri, encodeURIComponent);
  // Brackets only stand around an address of IPv6.
  const origin = uri.slice(0, url.origin === "null" ? 0 : url.origin.length);
  const rest = uri.slice(origin.length).replaceAll("[", "%5B").replaceAll("]", "%5D");
  const [beforeHash, ...hash] = rest.split("#");
  return hash.length === 0 ? origin + rest : `${origin}${beforeHash}#${hash.join("%23")}`;
}

/** The page that a service says it has read, after redirects: the address to cite. Undefined if that is no web address. */
export function citableUrl(text: string): string | undefined {
  const address = sentUrl(text);
  if (address === undefined) return undefined;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" ? address : undefined;
}

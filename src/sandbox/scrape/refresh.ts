/** Seconds after which a browser is still sent on before anybody has read the page. */
const soonSeconds = 10;

/** A delay, and the URL with or without its name and quotes (HTML, "shared declarative refresh steps"). */
const form =
  /^\s*(?<delay>\d*)(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"(?<double>[^"]*)|'(?<single>[^']*)|(?<plain>.*))/is;

/**
 * The address in the value of a refresh, of a `meta` element or of a header. Undefined if there is none, or if it comes
 * so late that the page itself is meant to be read.
 */
export function refreshAddress(content: string): string | undefined {
  const { delay = "", double, single, plain } = form.exec(content)?.groups ?? {};
  const address = (double ?? single ?? plain ?? "").trim();
  return address === "" || Number(delay) > soonSeconds ? undefined : address;
}

/**
 * The permissions of a page: run our own script, by nonce, and draw. It can reach no network, run no inline script or style,
 * and turn no string into markup (trusted types), whatever an answer holds.
 */
export function contentSecurityPolicy(cspSource: string, nonce: string, playsSound = false): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} data: blob:`,
    ...(playsSound ? ["media-src blob:"] : []),
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

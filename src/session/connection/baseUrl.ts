import { isInRange } from "../../api/transport/addressRange.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { Connection } from "./connection.ts";

/** A validated base URL, or the error for the user. */
export type BaseUrlCheck =
  | { readonly ok: true; readonly url: string; readonly origin: string }
  | { readonly ok: false; readonly problem: string };

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Accepts https for any host, and http for this machine only because it is not encrypted. */
export function checkBaseUrl(text: string): BaseUrlCheck {
  const trimmed = text.trim();
  if (trimmed === "") return refuse("Enter the address of the service, for example https://api.example.com.");
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) {
    return refuse(`"${shown(trimmed)}" is not a URL. It must begin with https://.`);
  }
  if (!URL.canParse(trimmed)) return refuse(`"${shown(trimmed)}" is not a URL.`);
  const url = new URL(trimmed);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname))) {
    return refuse(
      "The key would be sent unencrypted. Use https:// (http:// is allowed for this machine only).",
    );
  }
  if (url.username || url.password) return refuse("Remove the user name and password from the address.");
  if (url.search || url.hash) return refuse("Remove the part from ? or # on.");
  return { ok: true, url: url.href.replace(/\/+$/, ""), origin: url.origin };
}

/** The origin of a stored base URL; undefined if it is no longer valid. */
export function originOf(baseUrl: string): string | undefined {
  const checked = checkBaseUrl(baseUrl);
  return checked.ok ? checked.origin : undefined;
}

/**
 * Who receives what is sent over a connection. What the user allows is bound to it: the address of a connection can be
 * changed, and the sandbox is always on this machine. Ids contain no space.
 */
export function receiverOf({ id, kind, baseUrl }: Pick<Connection, "id" | "kind" | "baseUrl">): string {
  return kind === "sandbox" ? id : `${id} ${originOf(baseUrl) ?? baseUrl}`;
}

/** True for addresses of this machine, which bypass the proxy. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && loopback.test(new URL(url).hostname);
}

function refuse(problem: string): BaseUrlCheck {
  return { ok: false, problem };
}

function shown(text: string): string {
  return shortened(text, 60);
}

/** True if `http.noProxy` lists the host by its name or a range of addresses, or the address is of this machine. */
export function bypasses(noProxy: readonly string[], url: string): boolean {
  if (isLoopback(url)) return true;
  const { hostname, host } = new URL(url);
  return noProxy.some((entry) => {
    const name = entry.trim().toLowerCase().replace(/^\*/, "");
    if (name === "" || entry.trim() === "*") return entry.trim() === "*";
    if (name.startsWith(".")) return hostname.endsWith(name);
    return hostname === name || host === name || isInRange(hostname, name);
  });
}

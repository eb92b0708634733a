import type { IncomingHttpHeaders } from "node:http";
import { authenticate } from "../../keys/auth.ts";
import type { Key } from "../../keys/keyring.ts";
import { Refusal } from "../../refusal.ts";
import type { SandboxService, Services } from "../../service.ts";
import type { State } from "../../state/state.ts";
import { type Matched, matchRoute, type Route } from "../routes.ts";

/** Everything that answers requests. */
export interface ServerContext {
  readonly state: State;
  readonly services: Services;
  readonly routes: readonly Route[];
}

/** A request before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Below the API root. Undefined for other paths. */
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The route, service and caller of an admitted request. */
export interface Admission {
  readonly matched: Matched;
  readonly service: SandboxService;
  readonly key: Key | undefined;
}

/** Checks host, origin, route and key before the body is read. Rejects with a Refusal. */
export async function admit(
  { state, services, routes }: ServerContext,
  { method, path, headers }: RequestHead,
  port: number,
): Promise<Admission> {
  checkHost(headers, port);
  checkPage(headers, port);
  if (path === undefined) throw new Refusal(404, "Not found: the API is below /api/v1");
  const matched = matchRoute(routes, method, path);
  const service = services[matched.route.id];
  if (!service) throw new Refusal(501, `The sandbox does not serve ${matched.route.id}`);
  return { matched, service, key: await authenticate(matched.route.row, headers, state) };
}

const ownNames = ["127.0.0.1", "localhost"];

/** A page that uses DNS rebinding sends its own host name. */
function checkHost({ host = "" }: IncomingHttpHeaders, port: number): void {
  if (isOwn(host.toLowerCase(), port)) return;
  throw new Refusal(421, `The sandbox only accepts requests to 127.0.0.1:${port}`);
}

/** Refuses web pages of other origins, even though they could not read the reply. */
function checkPage(headers: IncomingHttpHeaders, port: number): void {
  const { origin, "sec-fetch-site": site } = headers;
  const isOwnOrigin = origin === undefined || isOwn(origin.toLowerCase().replace(/^http:\/\//, ""), port);
  const isPage = origin === "null" || /^https?:/i.test(origin ?? "");
  const isAcross = site === "cross-site" || site === "same-site";
  if ((isOwnOrigin || !isPage) && !isAcross) return;
  throw new Refusal(403, "The sandbox refuses web pages of other origins");
}

function isOwn(address: string, port: number): boolean {
  const addresses = ownNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
  return addresses.includes(address);
}

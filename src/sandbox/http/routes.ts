import { type Endpoint, routeOf } from "../../api/endpoint.ts";
import type { table as apiTable } from "../../api/table.ts";
import { Refusal } from "../refusal.ts";

type Rows = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** One method of one path. Rows that differ only in the form of the reply share it. */
export interface Route {
  /** The key of its service: `POST /chat/completions`. Of two spellings of a path, the first. */
  readonly id: string;
  readonly path: string;
  readonly row: Endpoint;
  /** The body may request events with `stream`. */
  readonly streams: boolean;
}

export interface Matched {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** All routes of the table. A row with two spellings of its path is served at one of them (spec E11). */
export function routesOf(rows: typeof apiTable | Rows, otherPaths = false): readonly Route[] {
  const all = Object.values(rows as Rows).flatMap((calls) => Object.values(calls));
  const routes = new Map<string, Route>();
  for (const row of all) {
    const id = routeOf(row);
    const streams = routes.get(id)?.streams || row.decode === "events";
    routes.set(id, { id, path: (otherPaths ? row.otherPath : undefined) ?? row.path, row, streams });
  }
  return [...routes.values()];
}

/** The route of a request. Throws a 405 if the path has other methods only, else a 404. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Matched {
  const found = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params ? [{ route, params }] : [];
  });
  // `/api_keys/rate_limits` comes before `/api_keys/{id}`.
  found.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length);
  const match = found.find(({ route }) => route.row.method === method);
  if (match) return match;
  if (found.length === 0) throw new Refusal(404, `No route ${method} ${path}`);
  const allow = found.map(({ route }) => route.row.method).join(", ");
  throw new Refusal(405, `Method ${method} is not allowed here, use ${allow}`, { headers: { allow } });
}

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined) params[name] = decoded(value);
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Refusal(400, "The path is not valid");
  }
}

// The real client over a service that answers each row with one reply.
import { type Api, createApi } from "../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../src/api/dialect/dialect.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { type Table, table } from "../../../src/api/table.ts";
import type { Transport, TransportRequest } from "../../../src/api/transport/transport.ts";
import { exactJsonText } from "../../../src/shared/text/json/exactJson.ts";

/** `keys.create`. */
export type RowName = {
  [Resource in keyof Table]: `${Resource}.${keyof Table[Resource] & string}`;
}[keyof Table];

export const rows = Object.fromEntries(
  Object.entries(table).flatMap(([resource, calls]) =>
    Object.entries(calls).map(([call, row]) => [`${resource}.${call}`, row]),
  ),
) as Readonly<Record<RowName, Endpoint>>;

export const rowNames = Object.keys(rows) as readonly RowName[];

/** The body of a reply: JSON, an event of a stream, text, or bytes. Rows without a reply are not found. */
export type Replies = Readonly<Partial<Record<RowName, unknown>>>;

export interface ServiceOptions {
  readonly dialect?: DialectId;
  readonly status?: number;
  /** Of every reply. */
  readonly headers?: Headers;
  /** The sign-in of a wallet, which pays in place of the key. */
  readonly signIn?: string;
}

/** The client, and the requests that it has sent. */
export function serviceOf(
  replies: Replies,
  { dialect = "standard", status = 200, headers = new Headers(), signIn }: ServiceOptions = {},
): { readonly api: Api<Table>; readonly sent: readonly TransportRequest[] } {
  const sent: TransportRequest[] = [];
  const transport: Transport = {
    name: "host",
    async send(request) {
      sent.push(request);
      const name = rowNames.find((one) => one in replies && isOf(rows[one], request));
      headers.set("content-type", name ? typeOf(rows[name]) : "application/json");
      return { status: name ? status : 404, headers, body: bodyOf(name, name && replies[name]) };
    },
    close: async () => {},
  };
  const api = createApi(table, transport, {
    baseUrl: "https://service.example/api/v1",
    apiKey: async () => "key",
    ...(signIn === undefined ? {} : { walletSignIn: async () => signIn }),
    dialect: dialects[dialect],
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
    ...("wallet.balance" in replies ? { walletSignIn: async () => "sign-in" } : {}),
  });
  return { api, sent };
}

function isOf(row: Endpoint, { method, url, headers }: TransportRequest): boolean {
  const path = new URL(url).pathname.replace("/api/v1", "");
  const pattern = row.path.replaceAll(/\{\w+\}/g, "[^/]+");
  // Rows with one route differ in what they accept.
  const isText = headers.accept?.startsWith("text/") === true;
  const wantsText = row.decode === "events" || row.accept?.startsWith("text/") === true;
  return method === row.method && new RegExp(`^${pattern}$`).test(path) && isText === wantsText;
}

function typeOf({ decode, accept }: Endpoint): string {
  if (decode === "events") return "text/event-stream";
  return decode === "json" || accept === undefined
    ? "application/json"
    : (accept.split(",")[0] ?? "").replace("audio/*", "audio/mpeg").replace("image/*", "image/png");
}

async function* bodyOf(name: RowName | undefined, reply: unknown): AsyncGenerator<Uint8Array> {
  if (reply instanceof Uint8Array) yield reply;
  else if (typeof reply === "string") yield Buffer.from(reply);
  else if (name === undefined) yield Buffer.from('{"error": "no such route"}');
  else if (rows[name].decode === "events")
    yield Buffer.from(`data: ${exactJsonText(reply)}\n\ndata: [DONE]\n\n`);
  else yield Buffer.from(exactJsonText(reply));
}

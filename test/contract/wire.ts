import type { Target } from "./target.ts";

export interface WireRequest {
  readonly method?: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
  /** The body as it is, in place of `body`. */
  readonly text?: string;
  /** null sends none; default the target's. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
}

/** Sends what no client of ours would, and gives back what came, unread. */
export async function send(target: Target, request: WireRequest): Promise<WireReply> {
  const { key = target.apiKey } = request;
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(target.baseUrl + request.path, {
    method: request.method ?? (text === undefined ? "GET" : "POST"),
    headers: {
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...request.headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const received = await response.text();
  if (response.status >= 400) target.failed();
  return { status: response.status, headers: response.headers, text: received, json: parsed(received) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of the events of a streamed reply, each parsed but the last mark. */
export function eventsOf(reply: WireReply): Record<string, unknown>[] {
  const data = reply.text
    .split("\n\n")
    .flatMap((event) => (event.startsWith("data: ") ? [event.slice(6)] : []));
  return data.filter((one) => one !== "[DONE]").map((one) => JSON.parse(one) as Record<string, unknown>);
}

/** First path members of the issues that an error body names; an unknown member counts by its name. */
export function fieldsNamed(json: unknown): string[] {
  const body = json as { error?: unknown; issues?: Issue[] };
  const issues = Array.isArray(body.error) ? (body.error as Issue[]) : (body.issues ?? []);
  return issues.map(({ path, message }) => String(path[0] ?? /"([^"]+)"/.exec(message)?.[1] ?? ""));
}

interface Issue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** The sentence of an error body, in whichever shape it comes. */
export function errorText(json: unknown): string {
  const { error } = json as { error: unknown };
  if (typeof error === "string") return error;
  const [first] = Array.isArray(error) ? error : [error];
  return String((first as { message?: unknown })?.message ?? "");
}

import type { Target } from "./target.ts";

export interface WireRequest {
  readonly method?: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
  /** A form instead of `body`. */
  readonly form?: readonly (readonly [name: string, value: string | File])[];
  /** The raw body instead of `body`. */
  readonly text?: string;
  /** null sends none; default: the target's key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
}

/** Sends requests that the client would refuse, and returns the unparsed reply. */
export async function send(target: Target, request: WireRequest): Promise<WireReply> {
  const { key = target.apiKey, form } = request;
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const body = form ? toForm(form) : text;
  const response = await fetch(target.baseUrl + request.path, {
    method: request.method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const received = bytes.toString();
  if (response.status >= 400) target.failed();
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text: received,
    json: parsed(received),
  };
}

function toForm(entries: NonNullable<WireRequest["form"]>): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The data of a streamed reply's events, parsed except for the final `[DONE]`. */
export function eventsOf(reply: WireReply): Record<string, unknown>[] {
  const data = reply.text
    .split("\n\n")
    .flatMap((event) => (event.startsWith("data: ") ? [event.slice(6)] : []));
  return data.filter((one) => one !== "[DONE]").map((one) => JSON.parse(one) as Record<string, unknown>);
}

/** First path members of the issues in an error body; an unknown member counts by its name. */
export function fieldsNamed(json: unknown): string[] {
  const body = json as { error?: unknown; issues?: Issue[] };
  const issues = Array.isArray(body.error) ? (body.error as Issue[]) : (body.issues ?? []);
  const param = (body.error as { param?: unknown })?.param;
  if (typeof param === "string") return [param];
  return issues.map(({ path, message }) => String(path[0] ?? /"([^"]+)"/.exec(message)?.[1] ?? ""));
}

interface Issue {
  readonly path: (string | number)[];
  readonly message: string;
}

/** The message of an error body in any shape. */
export function errorText(json: unknown): string {
  const { error } = json as { error: unknown };
  if (typeof error === "string") return error;
  const [first] = Array.isArray(error) ? error : [error];
  return String((first as { message?: unknown })?.message ?? "");
}

// An OpenTelemetry collector on this machine: it takes spans by OTLP over HTTP and refuses what is not of its JSON form.
import type { TestContext } from "node:test";
import * as z from "zod";
import { type Answer, listen } from "../../../../loopback/server.ts";

const int64 = z.string().regex(/^-?\d+$/);
const AnyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: int64 }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(AnyValue) }) }),
  ]),
);
const Attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: AnyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, "keys are unique");
const id = (digits: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${digits}}$`))
    .refine((text) => /[^0]/.test(text), "an id of zeros is invalid");

/** opentelemetry/proto/trace/v1/trace.proto. */
const Span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(0).max(5),
  startTimeUnixNano: int64,
  endTimeUnixNano: int64,
  attributes: Attributes,
  events: z.array(z.strictObject({ timeUnixNano: int64, name: z.string().min(1), attributes: Attributes })),
  status: z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
});
export type ReceivedSpan = z.infer<typeof Span>;

/** opentelemetry/proto/collector/trace/v1/trace_service.proto. */
export const ExportTraceServiceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: Attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(Span),
        }),
      ),
    }),
  ),
});

interface Collector {
  readonly origin: string;
  readonly spans: ReceivedSpan[];
  /** The whole text of each request. */
  readonly bodies: string[];
  readonly refusals: string[];
  /** Answers instead of taking the spans; it reads the request before. */
  answer: Answer | undefined;
  /** Resolves after the next request was answered. */
  next(): Promise<void>;
}

export async function openCollector(t: TestContext): Promise<Collector> {
  let waiting = Promise.withResolvers<void>();
  const server = await listen((request, response) => {
    const { body } = request;
    collector.bodies.push(body);
    response.once("close", () => {
      waiting.resolve();
      waiting = Promise.withResolvers();
    });
    if (collector.answer) return collector.answer(request, response);
    const isRight = request.method === "POST" && request.url === "/v1/traces";
    const read = ExportTraceServiceRequest.safeParse(JSON.parse(body));
    if (!isRight || !read.success || request.headers["content-type"] !== "application/json") {
      collector.refusals.push(`${request.method} ${request.url} ${read.error}`);
      response.writeHead(400).end();
      return;
    }
    const all = read.data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    collector.spans.push(...all);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  t.after(() => server.close());
  const collector: Collector = {
    origin: server.origin,
    spans: [],
    bodies: [],
    refusals: [],
    answer: undefined,
    next: () => waiting.promise,
  };
  return collector;
}

/** The attributes of a span as plain values. */
export function valuesOf({ attributes }: Pick<ReceivedSpan, "attributes">): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value as Record<string, unknown>)[0]]),
  );
}

import * as z from "zod";

/** What a page may say, as one schema for each type of message. */
type Bodies = Readonly<Record<string, z.ZodType>>;

/** A message of a page to its host, in an envelope that names its version. */
export type ViewMessage<Said extends Bodies> = {
  [Type in keyof Said & string]: {
    readonly v: 1;
    readonly type: Type;
    readonly body: z.output<Said[Type]>;
  };
}[keyof Said & string];

const Envelope = z.strictObject({ v: z.literal(1), type: z.string(), body: z.unknown() });

/** Reads what a page said; undefined where it is nothing that a page of this version says. */
export function parseViewMessage<Said extends Bodies>(
  bodies: Said,
  message: unknown,
): ViewMessage<Said> | undefined {
  const envelope = Envelope.safeParse(message);
  if (!envelope.success || !Object.hasOwn(bodies, envelope.data.type)) return undefined;
  const { type } = envelope.data;
  const body = bodies[type]?.safeParse(envelope.data.body);
  return body?.success ? ({ v: 1, type, body: body.data } as ViewMessage<Said>) : undefined;
}

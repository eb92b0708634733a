import * as z from "zod";

/** The messages of a page: one schema for each type. */
type Bodies = Readonly<Record<string, z.ZodType>>;

/** A message of a page to its host, with the version of the protocol. */
export type ViewMessage<Said extends Bodies> = {
  [Type in keyof Said & string]: {
    readonly v: 1;
    readonly type: Type;
    readonly body: z.output<Said[Type]>;
  };
}[keyof Said & string];

const Envelope = z.strictObject({ v: z.literal(1), type: z.string(), body: z.unknown() });

/** Parses a message of a page; undefined if it is invalid for this version. */
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

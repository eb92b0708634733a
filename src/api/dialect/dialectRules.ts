import * as z from "zod";
import { chatMembers } from "./chatRules.ts";

/**
 * Rules of a dialect that are stricter than the schemas of the rows: by route (`routeOf`), an object of narrower
 * members. The client validates requests by them before sending, the sandbox validates what it receives, and the
 * contract suite sends a value that only this rule refuses.
 */
export type DialectRules = Readonly<Record<string, z.ZodObject>>;

/** A member that the route does not have in this dialect. */
export const absent = z.undefined({ error: "this service does not take it here; leave it out" }).optional();

const text = (maxLength: number) =>
  z.string().max(maxLength, `at most ${maxLength} characters on this service`).optional();

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(", ")} on this service` }).optional();

const utc = z
  .string()
  .regex(/Z$/, "in UTC, ending in Z, on this service")
  .max(40, "at most 40 characters")
  .optional();

/** spec.md: without the additions of wire.md section 11; E5 states a limit. */
export const standardRules: DialectRules = {
  "POST /chat/completions": z.looseObject({
    verbosity: absent,
    fallbacks: absent,
    ...chatMembers({
      cacheTtl: false,
      plainToolTurns: false,
      emptyTextParts: true,
      emptyTurns: true,
      audioFormats: undefined,
      metadata: "any",
    }),
  }),
  "POST /api_keys": z.looseObject({ modelPrivacy: absent }),
  "PATCH /api_keys": z.looseObject({ modelPrivacy: absent }),
  "POST /image/edit": z.looseObject({ enhance_prompt: absent }),
  "POST /image/multi-edit": z.looseObject({
    enhance_prompt: absent,
    images: z.array(z.unknown()).max(3, "at most 3 pictures on this service"),
  }),
};

const cap = z.number().max(9_999_999_999, "at most 9,999,999,999 on this service").nullish();
const key = z.looseObject({
  description: text(64),
  consumptionLimit: z.looseObject({ usd: cap, diem: cap, vcu: cap }).optional(),
  expiresAt: z
    .string()
    .regex(
      /^(\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{3})?Z)?)?$/,
      "a day, or a time in UTC ending in Z with milliseconds at most, on this service",
    )
    .optional(),
});

const edit = {
  aspect_ratio: oneOf(["auto", "1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"]),
  output_format: oneOf(["jpeg", "png", "webp"]),
};

/** The public service (wire.md sections 2, 6 and 11). */
export const veniceRules: DialectRules = {
  "POST /chat/completions": z.looseObject(
    chatMembers({
      cacheTtl: true,
      plainToolTurns: true,
      emptyTextParts: false,
      emptyTurns: false,
      audioFormats: ["wav", "mp3"],
      metadata: "text",
    }),
  ),
  "POST /api_keys": key,
  "PATCH /api_keys": key,
  "POST /image/edit": z.looseObject({ ...edit, quality: absent }),
  "POST /image/multi-edit": z.looseObject(edit),
  "POST /audio/speech": z.looseObject({ voice: text(512) }),
  "GET /billing/usage-history": z.looseObject({
    currency: oneOf(["USD", "DIEM", "BUNDLED_CREDITS"]),
    startTimestamp: utc,
    endTimestamp: utc,
    cursor: z
      .string()
      .regex(/^[A-Za-z0-9_-]{0,512}$/, "at most 512 of A-Z, a-z, 0-9, _ and -")
      .optional(),
  }),
  "POST /crypto/rpc/{network}": z.looseObject({
    body: z.unknown().superRefine((body, context) => {
      const items: readonly unknown[] = Array.isArray(body) ? body : [body];
      items.forEach((item, index) => {
        if (!hasForeignId(item)) return;
        const path = Array.isArray(body) ? [index, "id"] : ["id"];
        context.addIssue({ code: "custom", path, message: "a text or a whole number on this service" });
      });
    }),
  }),
};

function hasForeignId(item: unknown): boolean {
  if (typeof item !== "object" || item === null || !("id" in item)) return false;
  const { id } = item;
  return id === null || (typeof id === "number" && !Number.isInteger(id));
}

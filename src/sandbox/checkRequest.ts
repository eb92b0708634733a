import type * as z from "zod";
import { Refusal } from "./refusal.ts";

/** A request's members as a schema written from the spec reads them. Throws the 400 that lists every broken rule. */
export function checkRequest<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map(({ code, path, message }) => ({
    code: code ?? "custom",
    path: path.map((step) => (typeof step === "number" ? step : String(step))),
    message,
  }));
  throw new Refusal(400, "Invalid request parameters", { issues });
}

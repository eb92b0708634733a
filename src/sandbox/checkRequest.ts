import type * as z from "zod";
import { Refusal } from "./refusal.ts";

/** Parses a request's members by a schema from the spec. Throws a 400 that lists all broken rules. */
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

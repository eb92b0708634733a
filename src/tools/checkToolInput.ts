import { Refusal } from "../platform/errors/refusal.ts";
import { errorsOf } from "./schemaErrors.ts";
import type { ServiceTool, ToolInput } from "./serviceTool.ts";

/** The input of a call, if it fits the schema of the tool. Else throws a Refusal that names path and rule. */
export function checkToolInput({ name, parameters }: ServiceTool, value: unknown): ToolInput {
  const [first] = errorsOf(parameters, value ?? {});
  if (first === undefined) return (value ?? {}) as ToolInput;
  const place = first.at === "" ? "the input" : `the input at ${first.at}`;
  throw new Refusal(`${name} was not run, because ${place} breaks its schema: ${first.message}`);
}

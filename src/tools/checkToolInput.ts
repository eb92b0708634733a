import { Refusal } from "../platform/errors/refusal.ts";
import { isMembers, membersOf } from "../shared/members.ts";
import { acceptInput } from "./input/acceptInput.ts";
import { refusedInput } from "./input/inputFaults.ts";
import { noRoots, type PathRoots } from "./input/workspacePath.ts";
import type { ServiceTool, ToolInput } from "./serviceTool.ts";

/**
 * The input of a call as the tool reads it, if it fits the schema, also in the words of other tools. Else throws a Refusal
 * that names all faults, and what the tool takes.
 */
export function checkToolInput(
  { name, parameters }: ServiceTool,
  value: unknown,
  roots: PathRoots = noRoots,
): ToolInput {
  const accepted = isMembers(value ?? {})
    ? acceptInput(membersOf(value), { schema: parameters, roots, acts: true })
    : { faults: ["the input is no object"] };
  if ("input" in accepted) return accepted.input;
  throw new Refusal(refusedInput(name, parameters, accepted.faults));
}

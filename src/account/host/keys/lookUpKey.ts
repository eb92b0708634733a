import { ask } from "../../../platform/editor/ask.ts";
import { explain } from "../../../platform/errorMessage.ts";
import type { Account } from "../accountOf.ts";
import { keyIdProblem } from "./keyForm.ts";

/**
 * Asks for the id of a key and reads its record (spec E12), so that the view shows a key that neither the list, the usage
 * nor this window knows. Returns the id; undefined if the user cancels. What is wrong is said below the box.
 */
export async function lookUpKey({ data, admin }: Account): Promise<string | undefined> {
  const answer = await ask({
    title: "Show API Key by ID",
    prompt: `The id of a key at ${admin.name}. Usage records, exports and the reply that created the key contain it.`,
    placeholder: "12345678-90ab-cdef-1234-567890abcdef",
    problem: keyIdProblem,
    prove: async (typed, signal) => {
      const id = idOf(typed);
      const { value, error } = await data.key(id).load(0);
      if (signal.aborted) return undefined;
      if (error !== undefined) return explain(error, { service: admin.name, kind: admin.kind }).sentence;
      if (value === undefined)
        return `${admin.name} has no key with the id ${id}. It may be revoked, or belong to another account.`;
      data.lookedUpKeys.add(id);
      return undefined;
    },
  });
  return typeof answer === "object" ? idOf(answer.value) : undefined;
}

function idOf(typed: string): string {
  return typed.trim().toLowerCase();
}

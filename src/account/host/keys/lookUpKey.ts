import { ask } from "../../../platform/editor/dialogs/ask.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Account } from "../accountOf.ts";
import { keyIdProblem } from "./keyForm.ts";

/** Shows a key that the user names by its id, also one that neither the list, the usage nor this window knows. */
export async function showKeyById(
  account: Account | undefined,
  show: (id: string) => Promise<void>,
): Promise<void> {
  const id = account && (await lookUpKey(account));
  if (id !== undefined) await show(id);
}

/** Asks for an id and reads its record (spec E12). What is wrong is said below the box. Undefined if the user cancels. */
async function lookUpKey({ data, admin }: Account): Promise<string | undefined> {
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

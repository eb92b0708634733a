import { Consents, type ConsentsDeps } from "../../../src/session/consent/consents.ts";
import { memento } from "../memento.ts";

/** What the user has allowed: nothing yet, unless a state says so. */
export function openConsents(deps: Partial<ConsentsDeps> = {}): Consents {
  return new Consents({
    globalState: memento(),
    workspaceState: memento(),
    now: Date.now,
    ...deps,
  });
}

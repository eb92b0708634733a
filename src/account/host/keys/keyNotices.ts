import * as vscode from "vscode";
import { explain } from "../../../platform/errors/errorMessage.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { KeyList } from "../accountData.ts";
import type { Account } from "../accountOf.ts";
import type { AccountTools } from "./addAdmin.ts";
import { expiryStamp, newlyExpiring } from "./health/keyHealth.ts";
import { countOfKeys, namedKey } from "./keyOwner.ts";
import type { KeyRow } from "./keyRow.ts";
import { type PendingRotation, stateOf } from "./rotation/rotationPlan.ts";

interface KeyNoticesDeps {
  readonly tools: AccountTools;
  /** Extends or edits keys. */
  readonly edit: (ids: readonly string[]) => unknown;
  readonly show: () => unknown;
  /** A key was revoked. */
  readonly onRevoked: () => void;
}

/** Looks at the list of keys whenever it was read: tells of an end once, and ends rotations. */
export class KeyNotices {
  readonly #deps: KeyNoticesDeps;
  /** Rotations that failed in this window. The next window tries again. */
  readonly #failed = new Set<string>();
  #isBusy = false;

  constructor(deps: KeyNoticesDeps) {
    this.#deps = deps;
  }

  /** The keys of the sandbox are examples. */
  async seen(account: Account, { keys, isListed }: KeyList): Promise<void> {
    if (this.#isBusy || !isListed || account.connection.kind === "sandbox") return;
    this.#isBusy = true;
    try {
      await this.#tellOfEnds(account, keys);
      for (const rotation of this.#deps.tools.memory.rotationsOf(account.connection.id))
        await this.#goOn(rotation, account, keys);
    } finally {
      this.#isBusy = false;
    }
  }

  async #tellOfEnds({ admin, data }: Account, keys: readonly KeyRow[]): Promise<void> {
    const { memory } = this.#deps.tools;
    const ending = newlyExpiring(keys, memory.toldExpiries(), data.now());
    if (ending.length === 0) return;
    // Written before it is told, so that other windows don't tell it again.
    await memory.addToldExpiries(ending.map(expiryStamp));
    void this.#offer(ending, admin.name);
  }

  async #offer(ending: readonly KeyRow[], service: string): Promise<void> {
    const [edit, show] = ["Edit…", "Show Keys"];
    const names = ending.slice(0, 3).map(namedKey).join(", ");
    const more = ending.length > 3 ? ` and ${ending.length - 3} more` : "";
    const verb = ending.length === 1 ? "expires" : "expire";
    const text = `${countOfKeys(ending.length)} of ${service} ${verb} within 7 days: ${names}${more}.`;
    const answer = await vscode.window.showWarningMessage(withoutLinks(text), edit, show);
    if (answer === edit) await this.#deps.edit(ending.map(({ id }) => id));
    if (answer === show) await this.#deps.show();
  }

  async #goOn(rotation: PendingRotation, account: Account, keys: readonly KeyRow[]): Promise<void> {
    const { memory, session } = this.#deps.tools;
    const { admin, connection, data } = account;
    const state = stateOf(rotation, keys, data.now());
    if (state === "waiting" || this.#failed.has(rotation.oldId)) return;
    const old = keys.find(({ id }) => id === rotation.oldId);
    try {
      if (state === "due" && old) {
        const { api } = await session.clientOf(admin, { kind: "account" });
        await api.keys.revoke({ id: old.id });
        const text = `${namedKey(old)} was revoked: the key that replaces it is in use.`;
        void vscode.window.showInformationMessage(withoutLinks(text));
        this.#deps.onRevoked();
      }
      await memory.endRotation(connection.id, rotation);
    } catch (error) {
      this.#failed.add(rotation.oldId);
      const { sentence } = explain(error, { service: admin.name, kind: admin.kind });
      const name = old ? namedKey(old) : rotation.oldId;
      const text = `${name} was replaced, but could not be revoked. ${sentence}`;
      void vscode.window.showWarningMessage(withoutLinks(text));
    }
  }
}

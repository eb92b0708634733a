// A list of one value: which line Enter takes.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { replace } from "../../../vscodeDouble.ts";

const { choose, pickedFrom } = await import("../../../../../src/platform/editor/dialogs/ask.ts");

interface Line {
  readonly label: string;
}

/** As the editor's list: its first line is active unless others are made so. Enter is pressed at once. */
class EnteredList {
  activeItems: readonly Line[] = [];
  #accept = () => {};

  set items(items: readonly Line[]) {
    this.activeItems = items.slice(0, 1);
  }

  onDidAccept(handler: () => void): void {
    this.#accept = handler;
  }

  onDidTriggerButton(): void {}

  onDidHide(): void {}

  show(): void {
    this.#accept();
  }

  dispose(): void {}
}

async function entered(t: TestContext, active?: string): Promise<string | undefined> {
  replace("window", { createQuickPick: () => new EnteredList() }, t);
  const items = ["add", "change"].map((value) => ({ label: value, value }));
  const given = active === undefined ? {} : { active };
  return pickedFrom(await choose({ title: "Change Budget", placeholder: "Select", items, ...given }));
}

test("Enter takes the first line of a list at once", async (t) => {
  assert.equal(await entered(t), "add");
  assert.equal(await entered(t, "of none"), "add");
});

test("Enter takes the line that is as before", async (t) => {
  assert.equal(await entered(t, "change"), "change");
});

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import type { Locator } from "playwright-core";
import type { TestSandbox } from "../../serviceKit/testSandbox.ts";
import { chooseInMenu } from "../window.ts";
import type { Workbench } from "../workbench.ts";
import { accountAt, accountParts } from "./parts.ts";

interface Opened {
  readonly workbench: () => Workbench;
  readonly service: () => TestSandbox;
}

/** Many keys at once, and the rotation of one, in the window of the tests of keys. */
export function manyKeys({ workbench, service }: Opened): void {
  const { input, offered, dialog, row, section } = accountParts(workbench);
  const { keys: listed } = accountAt(service);
  const named = async (part: string) =>
    (await listed())
      .filter(({ description }) => description.includes(part))
      .map(({ description }) => description);
  const choose = async (placeholder: string, label: string) => {
    await offered(placeholder);
    await workbench().pick(label);
  };
  const confirm = (name: string) => dialog().getByRole("button", { name, exact: true }).click();
  /** Selects the rows and chooses from the menu of the last one. */
  const onRows = async (labels: readonly string[], command: string) => {
    const selected = workbench().page.locator(".part.sidebar .monaco-list-row.selected");
    // A click without the key opens a row, which moves those below it away from the next click.
    const toggle = (of: Locator) => of.click({ modifiers: ["ControlOrMeta"] });
    // Rows that are drawn again meanwhile may not take a click.
    for (let tries = 0; tries === 0 || (tries < 5 && (await selected.count()) !== labels.length); tries++) {
      for (let left = await selected.count(); left > 0; left--) await toggle(selected.first());
      for (const label of labels) await toggle(row(label));
    }
    await row(labels.at(-1) ?? "").click({ button: "right" });
    await chooseInMenu(workbench().page.locator(".monaco-menu"), command);
  };

  it("creates five keys with an owner, and shows their secrets once, to save them in one file", async () => {
    await workbench().runCommand("Inference Account: Create API Key…");
    await choose("What may the key do?", "Several Keys…");
    await workbench().enter("Number of keys", "5");
    await workbench().enter("Names of the keys", "worker-{n}");
    await workbench().enter("Owner of the keys", "ana");
    await workbench().enter("Limit in USD", "2");
    await workbench().enter("Limit in DIEM", "");
    await choose("Select the period of the limit", "Month");
    await choose("When does the key expire?", "In 30 days");
    await choose("Which models may the key call?", "All Models");
    await dialog().getByText("worker-5 · ana").waitFor();
    await workbench().screenshot("account-keys-create-many");
    await confirm("Create 5 Keys");
    await offered("Save them now. They can't be shown again.");
    await workbench().screenshot("account-keys-secrets");
    await workbench().pick("Save to a File…");
    // The dialog puts its folder into the field before it lists it.
    await input().getByText("..", { exact: true }).waitFor();
    await input().locator("input.input").fill(join(workbench().profile.workspace, "new-keys.csv"));
    await input().getByRole("button", { name: "OK" }).click();
    await dialog().getByText("Git does not ignore this new-keys.csv file").waitFor();
    await confirm("Add new-keys.csv to .gitignore");
    await offered("Saved in new-keys.csv.");
    await workbench().pick("Done");
    const path = join(workbench().profile.workspace, "new-keys.csv");
    const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split("\r\n");
    assert.equal(head, "name,id,secret");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(
      lines.map((line) => line.split(",")[0]),
      [1, 2, 3, 4, 5].map((index) => `worker-${index} · ana`),
    );
    const secrets = lines.map((line) => line.split(",")[2] ?? "");
    const { userData } = workbench().profile;
    const files = readdirSync(userData, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files) {
      const file = join(parentPath, name);
      // A running editor removes its temporary files.
      if (!existsSync(file)) continue;
      const content = readFileSync(file);
      assert.ok(
        secrets.every((secret) => !content.includes(secret)),
        file,
      );
    }
  });

  it("extends selected keys; the service fails on the third, and Continue does it alone", async () => {
    // All rows of the keys are in the page then.
    await section("Usage").click();
    const patches = () => service().requests.filter(({ method }) => method === "PATCH").length;
    const before = patches();
    const match = { method: "PATCH", path: "/api_keys" };
    service().setFaults([
      { match, kind: "status", status: 403, body: { error: "not now" }, after: 2, times: 1 },
    ]);
    await onRows(
      [1, 2, 3, 4, 5].map((index) => `worker-${index} · ana`),
      "Edit API Key…",
    );
    await choose("Select what to change in 5 keys", "Extend");
    await workbench().enter("Days that each key is valid longer", "60");
    await dialog().getByText("worker-1 · ana").waitFor();
    await confirm("Change 5 Keys");
    await dialog().getByText("4 of 5 keys were changed.").waitFor();
    await workbench().screenshot("account-keys-partly");
    await confirm("Continue");
    await workbench().notifications.getByText("5 of 5 keys were changed.").waitFor();
    assert.equal(patches() - before, 6);
    service().setFaults([]);
  });

  it("groups by owner, and a key is rotated with an overlap", async () => {
    await workbench().runCommand("Inference Account: Sort API Keys…");
    await choose("Select the sort order", "Owner");
    await row("ana").waitFor();
    await workbench().screenshot("account-keys-owners");
    await onRows(["worker-1 · ana"], "Rotate API Key…");
    await choose("When does the old key end?", "In 7 days");
    await dialog().getByText("The old key (…").waitFor();
    await workbench().screenshot("account-keys-rotate");
    await confirm("Rotate Key");
    await offered("Save it now. It can't be shown again.");
    await input().locator("input.input").press("Enter");
    await offered("Copied.");
    await workbench().pick("Done");
    assert.equal((await named("worker-1 · ana")).length, 2);
    await row("To review").getByText("1 expiring").waitFor();
    const told = workbench().notifications.getByText("expires within 7 days");
    assert.equal(await told.count(), 0, "its end was chosen just now");
  });

  it("revokes selected keys once their number is typed", async () => {
    await onRows(["worker-2 · ana", "worker-3 · ana", "worker-4 · ana"], "Revoke API Key…");
    await dialog().getByText("What uses them stops working at once.").waitFor();
    await workbench().screenshot("account-keys-revoke-many");
    await confirm("Revoke 3 Keys");
    await workbench().enter("Type 3 to revoke 3 keys for good", "2");
    await workbench().enter("Type the number of keys, 3.", "3");
    await workbench().notifications.getByText("3 of 3 keys were revoked.").waitFor();
    await row("worker-2 · ana").waitFor({ state: "hidden" });
    assert.deepEqual(await named("worker-"), ["worker-1 · ana", "worker-5 · ana", "worker-1 · ana"]);
    await workbench().runCommand("Inference Account: Sort API Keys…");
    await choose("Select the sort order", "Spend");
  });
}

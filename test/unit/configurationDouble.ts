// The editor's settings, for tests in plain Node.
import type { TestContext } from "node:test";
import { replace } from "./vscodeDouble.ts";

type Values = Record<string, unknown>;

/**
 * Settings of the user and of a workspace, until the test ends. `problem` is why no setting can be written. `writes` are
 * the ids in the order of their changes.
 */
export function configurationOf(
  t: TestContext,
  values: { readonly user?: Values; readonly workspace?: Values; readonly problem?: string },
): { readonly user: Values; readonly writes: readonly string[] } {
  const user = { ...values.user };
  const workspace = values.workspace ?? {};
  const writes: string[] = [];
  const configuration = {
    // Our settings have application scope, so the editor ignores a workspace's value.
    get: (id: string) => user[id],
    inspect: (id: string) => ({ key: id, globalValue: user[id], workspaceValue: workspace[id] }),
    async update(id: string, value: unknown, target: number) {
      if (values.problem) throw new Error(values.problem);
      if (target !== 1) throw new Error("only settings of the user are written");
      writes.push(id);
      if (value === undefined) Reflect.deleteProperty(user, id);
      else user[id] = value;
    },
  };
  replace("workspace", { getConfiguration: () => configuration }, t);
  return { user, writes };
}

import * as vscode from "vscode";
import type { CommandId } from "../../../shared/names/ids.ts";
import type { Lazy } from "../../lazy.ts";

type DomainIn<Id> = Id extends `inference.${infer Domain}.${string}` ? Domain : never;
type DomainName = DomainIn<CommandId>;
type Command = (...args: unknown[]) => unknown;

/** What the commands of a domain do, by their ids. Arguments come from menus, key bindings and other extensions. */
export type DomainCommands<Domain extends DomainName> = Readonly<
  Record<Extract<CommandId, `inference.${Domain}.${string}`>, Command>
>;

/** A domain whose feature has its commands. */
interface WithCommands<Commands> {
  readonly feature: Lazy<{ readonly commands: Commands }>;
}

/** The part of package.json that names the commands. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * Registers all commands of the manifest. The domain in an id says whose command it is. Only the ids are needed at the
 * start: what a command does is loaded with the feature of its domain.
 */
export function registerCommands(
  { contributes }: Manifest,
  domains: { readonly [Domain in DomainName]: WithCommands<DomainCommands<Domain>> },
): vscode.Disposable {
  const byName: Readonly<Record<string, WithCommands<Readonly<Record<string, Command>>>>> = domains;
  const run = async (id: string, args: readonly unknown[]) => {
    const [, domain = ""] = id.split(".");
    const feature = await byName[domain]?.feature.get();
    const command = feature?.commands[id];
    if (!command) throw new Error(`no domain has the command ${id}`);
    return command(...args);
  };
  return vscode.Disposable.from(
    ...contributes.commands.map(({ command: id }) =>
      vscode.commands.registerCommand(id, (...args: unknown[]) => run(id, args)),
    ),
  );
}

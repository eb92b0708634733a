import { homedir } from "node:os";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { optionalMember } from "../../../shared/members.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { StoredClient } from "../../clients/clientBook.ts";
import type { AgentProgram } from "../../programs/agentPrograms.ts";
import {
  type ConfigChange,
  configFileOf,
  planTakeBack,
  planWrite,
} from "../../programs/configuration/configChange.ts";
import type { ConfigModel, ConfigPlaces, ProgramConfig } from "../../programs/configuration/programConfig.ts";
import type { WrittenFile } from "../../programs/configuration/writtenBook.ts";
import { chooseModel } from "./chooseModel.ts";
import type { ConfigDiffs } from "./configDiffs.ts";
import type { GatewayMenu } from "./gatewayMenu.ts";

/** An action of the list of a program. */
interface ConfigAction extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

function places(): ConfigPlaces {
  return { env: process.env, home: homedir(), isWindows: process.platform === "win32" };
}

/** What can be done with the configuration of a program; nothing if it has none in a file that can do without the token. */
export async function configActions(
  menu: GatewayMenu,
  program: AgentProgram,
  known: () => Promise<StoredClient>,
): Promise<readonly ConfigAction[]> {
  const { config, name } = program;
  if (!config) return [];
  const file = await configFileOf(config, places()).catch(() => undefined);
  const write: ConfigAction = {
    label: "$(edit) Write Its Configuration…",
    detail: `After you have seen what changes, in ${file?.path ?? "its file"}`,
    async run() {
      const model = await chooseModel(menu);
      if (model !== undefined) await writeConfiguration(menu, { name, config }, await known(), model);
    },
  };
  const written = await menu.config.book.all(name);
  const takeBacks = written.map(
    (one): ConfigAction => ({
      label: "$(discard) Take Its Configuration Back…",
      detail: one.path,
      run: () => takeBackConfiguration(menu, config, one),
    }),
  );
  return [write, ...takeBacks];
}

interface Configured {
  readonly name: string;
  readonly config: ProgramConfig;
}

async function writeConfiguration(
  { config: writer, diffs, origin, clients }: GatewayMenu,
  program: Configured,
  { id }: StoredClient,
  model: ConfigModel,
): Promise<void> {
  const address = { origin, ...model, tokenFile: clients.tokenFile(id) };
  await change(
    diffs,
    () => planWrite(writer, program, address, places()),
    (path) =>
      `${program.name} uses the gateway wherever it runs: ${path} was written. It reads its token from a file of its own.`,
  );
}

async function takeBackConfiguration(
  { config: writer, diffs }: GatewayMenu,
  config: ProgramConfig,
  file: WrittenFile,
): Promise<void> {
  await change(
    diffs,
    () => planTakeBack(writer, config, file),
    (path) => `${path} has again what it had before.`,
  );
}

/** After its token is a new one: what was written names the file of the old one. */
export async function followToken(
  menu: GatewayMenu,
  { name, config }: AgentProgram,
  client: StoredClient,
): Promise<void> {
  for (const { model, contextTokens, answerTokens } of config ? await menu.config.book.all(name) : []) {
    const sizes = {
      ...optionalMember("contextTokens", contextTokens),
      ...optionalMember("answerTokens", answerTokens),
    };
    if (config) await writeConfiguration(menu, { name, config }, client, { model, ...sizes });
  }
}

/** After its token was revoked: what was written would lead to errors. */
export async function followRevoked(menu: GatewayMenu, { name, config }: AgentProgram): Promise<void> {
  for (const file of config ? await menu.config.book.all(name) : [])
    if (config) await takeBackConfiguration(menu, config, file);
}

/** Shows a change, and makes it if the user wants it. It is shown again if the file has changed since. */
async function change(
  diffs: ConfigDiffs,
  plan: () => Promise<ConfigChange>,
  doneText: (path: string) => string,
): Promise<void> {
  try {
    for (let lead = ""; ; lead = "The file has changed since. ") {
      const planned = await plan();
      const { path, before, after } = planned;
      const isSame = before === after;
      if (!isSame && !(await diffs.confirm(planned, lead))) return;
      if (!(await planned.make())) continue;
      const text = isSame ? `${path} is as it has to be. Nothing was changed.` : doneText(path);
      return void vscode.window.showInformationMessage(withoutLinks(text));
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    void vscode.window.showErrorMessage(withoutLinks(error.message));
  }
}

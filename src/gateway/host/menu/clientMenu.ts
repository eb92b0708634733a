import * as vscode from "vscode";
import { ask } from "../../../platform/editor/dialogs/ask.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { plainLine } from "../../../platform/editor/dialogs/pickLines.ts";
import { focusChat } from "../../../session/focusChat.ts";
import { hostedAgentNamed } from "../../../shared/chat/hostedAgentNames.ts";
import { optionalMember } from "../../../shared/members.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { moneyText } from "../../../shared/money/moneyText.ts";
import type { StoredClient } from "../../clients/clientBook.ts";
import { type AgentProgram, tokenVariable } from "../../programs/agentPrograms.ts";
import { pathWith } from "../../programs/findProgram.ts";
import { pastProxy } from "../../programs/pastProxy.ts";
import { chooseModel } from "./chooseModel.ts";
import { configActions, followRevoked, followToken } from "./configMenu.ts";
import type { GatewayMenu } from "./gatewayMenu.ts";

interface Action extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

/** What can be done for a program, which is at this path if it was found. It gets a token when one is needed for the first time. */
export async function showClient(
  menu: GatewayMenu,
  program: AgentProgram,
  path: string | undefined,
): Promise<void> {
  const { clients } = menu;
  const client = (await clients.all()).find(({ name }) => name === program.name);
  const known = async () => client ?? (await clients.add(program.name));
  const [terminal, ...copies] = setUpActions(menu, program, path, known);
  const actions = [
    ...chatActions(menu, program, path !== undefined),
    ...(terminal ? [terminal] : []),
    ...(await configActions(menu, program, known)),
    ...copies,
    ...(client ? clientActions(menu, program, client) : []),
  ];
  const picked = await vscode.window.showQuickPick(actions, {
    title: program.name,
    placeHolder: client
      ? await factsOf(menu, client)
      : "It gets a token of its own, which only works on this machine",
  });
  await picked?.run();
}

async function factsOf({ clients }: GatewayMenu, client: StoredClient): Promise<string> {
  const used = await clients.lastUsedMs(client);
  const made = `Token of ${new Date(client.createdMs).toLocaleString()}`;
  return `${made}, ${used === undefined ? "not used yet" : `last used ${new Date(used).toLocaleString()}`}`;
}

/** Needs neither a token nor a configuration. */
function chatActions({ handoff }: GatewayMenu, program: AgentProgram, isFound: boolean): readonly Action[] {
  const agent = hostedAgentNamed(program.name);
  if (!isFound || agent === undefined) return [];
  return [
    {
      label: "$(comment-discussion) Chat with It Here",
      detail: "It answers in the chat of this window, within the cap of each task",
      async run() {
        handoff.offer({ text: "", send: false, attachments: [], agent });
        await focusChat();
      },
    },
  ];
}

function setUpActions(
  menu: GatewayMenu,
  program: AgentProgram,
  path: string | undefined,
  known: () => Promise<StoredClient>,
): readonly Action[] {
  const { clients, origin } = menu;
  const terminal: Action = {
    label:
      program.command({ origin, model: "" }) !== undefined
        ? `$(terminal) Open a Terminal with ${program.name}`
        : "$(terminal) Open a Terminal with Its Variables",
    detail: terminalText(path !== undefined),
    async run() {
      const folder = await folderOfTerminal();
      const model = folder === "cancelled" ? undefined : await chooseModel(menu);
      if (model === undefined || folder === "cancelled") return;
      const { id } = await known();
      const place = folder && { uri: folder.uri.toString(), name: folder.name };
      const token = await (place ? clients.tokenIn(id, place) : clients.token(id));
      openTerminal(program, path, { origin, ...model }, token, folder);
    },
  };
  const settings: Action = {
    label: "$(copy) Copy Its Settings",
    detail: "To use it outside of this window",
    async run() {
      const model = await chooseModel(menu);
      if (model === undefined) return;
      const { id } = await known();
      const { text, where } = program.settings({ origin, ...model });
      await vscode.env.clipboard.writeText(`${text}\n`);
      void vscode.window.showInformationMessage(
        `The settings of ${program.name} were copied, for ${where}. Its token is in the file ${clients.tokenFile(id)}; the variable is ${tokenVariable}.`,
      );
    },
  };
  const token: Action = {
    label: "$(key) Copy the Token",
    detail: "For a program that asks for an API key. It only works on this machine",
    async run() {
      await vscode.env.clipboard.writeText(await clients.token((await known()).id));
      void vscode.window.showInformationMessage(`The token of ${program.name} was copied.`);
    },
  };
  return [terminal, settings, token];
}

function terminalText(isFound: boolean): string {
  const text = isFound ? "Its configuration stays" : "With the address and the token";
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return text;
  // The row cuts its end.
  return `For the folder ${others.length > 0 ? "that you choose" : plainLine(folder.name)}. ${text}`;
}

/** The workspace folder in which a terminal is opened; undefined if there is none. */
async function folderOfTerminal(): Promise<vscode.WorkspaceFolder | undefined | "cancelled"> {
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (others.length === 0) return folder;
  const placeHolder = "The folder in which the agent works, and for which its calls count";
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder })) ?? "cancelled";
}

function openTerminal(
  program: AgentProgram,
  path: string | undefined,
  address: Parameters<AgentProgram["command"]>[0],
  token: string,
  folder: vscode.WorkspaceFolder | undefined,
): void {
  const tokens = { [tokenVariable]: token, ANTHROPIC_AUTH_TOKEN: token, OPENAI_API_KEY: token };
  const terminal = vscode.window.createTerminal({
    name: program.name,
    ...optionalMember("cwd", folder?.uri),
    // Not restored after a restart: its variables are not stored.
    isTransient: true,
    env: {
      ...program.variables(address),
      ...tokens,
      ...pastProxy(process.env),
      ...optionalMember("PATH", path === undefined ? undefined : pathWith(path, process.env)),
    },
  });
  terminal.show();
  const line = program.command(address);
  if (line !== undefined) terminal.sendText(line, false);
}

function clientActions(menu: GatewayMenu, program: AgentProgram, client: StoredClient): readonly Action[] {
  const { clients } = menu;
  const { id, name, sessionCapUsd, dayCapUsd, folderCapUsd, isPrivateOnly, isCachedLong } = client;
  return [
    {
      label: `$(shield) Cap per Session: ${capText(sessionCapUsd)}`,
      detail: "A call that could pass it is refused, and the agent shows why",
      async run() {
        const capUsd = await askCap(name, "Session", sessionCapUsd);
        if (capUsd !== "cancelled") await clients.setLimits(id, { sessionCapUsd: capUsd });
      },
    },
    {
      label: `$(calendar) Cap per Day: ${capText(dayCapUsd ?? undefined)}`,
      detail: "For all of its sessions together, on a day in UTC",
      async run() {
        const capUsd = await askCap(name, "Day", dayCapUsd ?? undefined);
        if (capUsd !== "cancelled") await clients.setLimits(id, { dayCapUsd: capUsd ?? null });
      },
    },
    {
      label: `$(folder) Cap per Folder and Day: ${capText(folderCapUsd)}`,
      detail: "For all of its calls of one folder, on a day in UTC",
      async run() {
        const capUsd = await askCap(name, "Folder and Day", folderCapUsd);
        if (capUsd !== "cancelled") await clients.setLimits(id, { folderCapUsd: capUsd });
      },
    },
    {
      label: `$(lock) Private Models Only: ${isPrivateOnly ? "on" : "off"}`,
      detail: "A request for a model that the service does not list as private is refused",
      run: async () => void (await clients.setLimits(id, { isPrivateOnly: !isPrivateOnly })),
    },
    {
      label: `$(history) Keep Prompts Cached for a Day: ${isCachedLong ? "on" : "off"}`,
      detail:
        "After a pause, a session costs less. The service keeps the beginnings of its prompts for longer",
      run: async () => void (await clients.setLimits(id, { isCachedLong: !isCachedLong })),
    },
    {
      label: "$(refresh) New Token",
      detail: "The one that it has is no longer valid",
      run: async () => followToken(menu, program, await clients.add(name)),
    },
    {
      label: "$(trash) Revoke…",
      detail: "Its next call is refused",
      async run() {
        const detail = "Its next call is refused. To use it again, set it up again.";
        if ((await warnModally(`Revoke the token of ${name}?`, { detail }, "Revoke")) !== "Revoke") return;
        await clients.revoke(id);
        await followRevoked(menu, program);
      },
    },
  ];
}

const highestCapUsd = 10_000;

function capText(capUsd: number | undefined): string {
  return capUsd === undefined ? "none" : moneyText(Counted.parse(capUsd).in("USD"));
}

const whatCosts = {
  Session: "one of its sessions may cost",
  Day: "all of its sessions together may cost on a day in UTC",
  "Folder and Day": "all of its calls of one folder may cost on a day in UTC",
};

/** USD; undefined for no cap. */
async function askCap(
  name: string,
  per: keyof typeof whatCosts,
  capUsd: number | undefined,
): Promise<number | undefined | "cancelled"> {
  const answer = await ask({
    title: `Cap per ${per} of ${name}`,
    prompt: `USD that ${whatCosts[per]}. Empty: no such cap`,
    value: capUsd === undefined ? "" : String(capUsd),
    problem: (text) => {
      const usd = Number(text);
      return text.trim() === "" || (usd > 0 && usd <= highestCapUsd)
        ? undefined
        : `Enter an amount above 0 and up to ${highestCapUsd}, such as 2 or 0.50.`;
    },
  });
  if (answer === undefined || answer === "back") return "cancelled";
  return answer.value.trim() === "" ? undefined : Number(answer.value);
}

import * as vscode from "vscode";
import type { ErrorActionId } from "../../shared/errorActions.ts";
import { commands, settings } from "../../shared/names/ids.ts";

/** The argument of a command that else leads to the chat: the user goes on where the error is shown. */
export const stayHere = "stay";

const openSetting = "workbench.action.openSettings";

/** Buttons whose feature runs them. */
type FeatureAction = "retry" | "sendAsText" | "withoutTools";

const targets: Readonly<
  Record<Exclude<ErrorActionId, FeatureAction>, readonly [command: string, argument?: string]>
> = {
  signIn: [commands.connectionSignIn, stayHere],
  setKey: [commands.connectionSignIn, stayHere],
  changeUrl: [commands.connectionChangeUrl],
  switchConnection: [commands.connectionSwitch],
  useSandbox: [commands.connectionUseSandbox, stayHere],
  useLocalModel: [commands.connectionUseLocalModel],
  diagnose: [commands.connectionDiagnose],
  showLog: [commands.connectionShowLog],
  proxySettings: [openSetting, "http.proxy"],
  certificateSettings: [openSetting, "http.systemCertificates"],
  timeoutSettings: [openSetting, settings.connectionTimeoutSeconds],
  budgetSettings: [commands.accountChangeBudget],
  editKey: [commands.accountEditKey],
  walletSettings: [openSetting, settings.walletCommand],
};

/** Runs the button of an explained error. True if the failed action can be retried at once. */
export async function runErrorAction(id: Exclude<ErrorActionId, "retry">): Promise<boolean> {
  if (id === "sendAsText" || id === "withoutTools") return false;
  const [command, ...rest] = targets[id];
  const done = await vscode.commands.executeCommand<unknown>(command, ...rest);
  // A question that needs a language model was refused before it was charged.
  return id === "useLocalModel" && done === true;
}

import * as vscode from "vscode";
import type { ErrorActionId } from "../shared/errorActions.ts";
import { commands, settings } from "../shared/ids.ts";

const openSetting = "workbench.action.openSettings";

const targets: Readonly<
  Record<Exclude<ErrorActionId, "retry">, readonly [command: string, argument?: string]>
> = {
  signIn: [commands.connectionSignIn],
  setKey: [commands.connectionSignIn],
  changeUrl: [commands.connectionChangeUrl],
  switchConnection: [commands.connectionSwitch],
  useSandbox: [commands.connectionUseSandbox],
  diagnose: [commands.connectionDiagnose],
  showLog: [commands.logShow],
  proxySettings: [openSetting, "http.proxy"],
  certificateSettings: [openSetting, "http.systemCertificates"],
  timeoutSettings: [openSetting, settings.connectionTimeoutSeconds],
  budgetSettings: [commands.budgetEdit],
};

/** Does what the button of an explained error says. */
export async function runErrorAction(id: Exclude<ErrorActionId, "retry">): Promise<void> {
  const [command, ...rest] = targets[id];
  await vscode.commands.executeCommand(command, ...rest);
}

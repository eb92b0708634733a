import * as vscode from "vscode";
import { clientConfigurations, type ServerCommand } from "./configurations.ts";

/** Asks for the client, and copies its configuration. It contains no token and no key. */
export async function pickConfiguration(server: ServerCommand): Promise<void> {
  const picked = await vscode.window.showQuickPick([...clientConfigurations], {
    title: "Copy MCP Configuration",
    placeHolder: "The client that is to use the tools of this service",
  });
  if (!picked) return;
  await vscode.env.clipboard.writeText(picked.text(server, process.platform === "win32"));
  void vscode.window.showInformationMessage(
    `The configuration for ${picked.label} was copied. ${picked.detail}.`,
  );
}

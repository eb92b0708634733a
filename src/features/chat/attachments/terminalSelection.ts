import * as vscode from "vscode";

/**
 * What is selected in the active terminal. The editor tells it by way of the clipboard alone: its text is put back
 * afterwards.
 */
export async function terminalSelection(): Promise<string | undefined> {
  if (!vscode.window.activeTerminal) return undefined;
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const marker = "\u200b";
  await clipboard.writeText(marker);
  try {
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const copied = await clipboard.readText();
    return copied === marker || copied.trim() === "" ? undefined : copied;
  } finally {
    await clipboard.writeText(before);
  }
}

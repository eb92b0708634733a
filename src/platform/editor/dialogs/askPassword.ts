import * as vscode from "vscode";

/** Asks for the password of a document, which is kept nowhere. Undefined if the user gives none. */
export async function askPassword(name: string, isWrong: boolean): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: `Enter Password for ${name}`,
    prompt: isWrong
      ? "This password does not open it. It is used on this machine only, and is not kept."
      : "It is locked with a password, which is used on this machine only, and is not kept.",
    password: true,
    ignoreFocusOut: true,
  });
}

/** The label of a button that asks for the password. */
export const enterPassword = "Enter Password…";

import assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";

/** Our extension in the extension host. */
export function ourExtension(): vscode.Extension<unknown> {
  return extension("inference-workbench.inference-workbench");
}

/** The context of an extension without code: exported by test/host/probe. */
export async function probeContext(): Promise<vscode.ExtensionContext> {
  return (await extension("inference-workbench.probe").activate()) as vscode.ExtensionContext;
}

/** The path of a bundle in dist/. */
export function bundlePath(name: string): string {
  return join(ourExtension().extensionPath, "dist", name);
}

function extension(id: string): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension(id);
  assert.ok(found, `${id} is not installed`);
  return found;
}

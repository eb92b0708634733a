import assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";

/** Our extension in the extension host. */
export function ourExtension(): vscode.Extension<unknown> {
  return extension("inference-workbench.inference-workbench");
}

interface Probe {
  readonly context: vscode.ExtensionContext;
  /** Requests over it are those of another extension. The tests themselves count as ours. */
  readonly lm: typeof vscode.lm;
}

/** Exported by test/host/probe, an extension that does nothing. */
export async function activateProbe(): Promise<Probe> {
  return (await extension("inference-workbench.probe").activate()) as Probe;
}

/** The context of an extension without code. */
export async function probeContext(): Promise<vscode.ExtensionContext> {
  return (await activateProbe()).context;
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

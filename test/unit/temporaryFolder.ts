import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let root: string | undefined;

/** A folder of its own, gone with the process: what a test disposes of after its end may still write there. */
export function temporaryFolder(): string {
  root ??= openRoot();
  return mkdtempSync(join(root, "test-"));
}

function openRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), "inference-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

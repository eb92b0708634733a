import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let root: string | undefined;

/** A folder that is removed with the process, because disposed objects may still write to it after their test. */
export function temporaryFolder(): string {
  root ??= openRoot();
  return mkdtempSync(join(root, "test-"));
}

function openRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), "inference-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

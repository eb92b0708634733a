import { hasEnded, newWriterName } from "./writerName.ts";

const shape = /^\.inference-([0-9a-z]+\.[0-9a-z]+\.[0-9a-f]{8})\.tmp$/;

/** A unique name for a temporary file in a folder of the user, which tells the process that writes it. */
export function newTemporaryName(): string {
  return `.inference-${newWriterName()}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return shape.test(name);
}

/** True for the name of a temporary file whose process is known to have ended. */
export function isLeftOver(name: string): boolean {
  const [, writer] = shape.exec(name) ?? [];
  return writer !== undefined && hasEnded(writer);
}

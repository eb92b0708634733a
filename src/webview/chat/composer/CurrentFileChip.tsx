import type { JSX } from "preact";
import type { ChatDeps } from "../chatDeps.ts";

export interface CurrentFileChipProps {
  readonly deps: ChatDeps;
  /** The chip goes once it was pressed, and the focus with it. */
  readonly toBox: () => void;
}

/** Offers the file that is open in the editor, until it goes along. */
export function CurrentFileChip({ deps, toBox }: CurrentFileChipProps): JSX.Element | null {
  const { store, bridge } = deps;
  const file = store.field("currentFile");
  const isAttached = store
    .field("attachments")
    .some(({ uri, kind }) => uri === file?.uri && kind !== "selection");
  if (file === null || isAttached) return null;
  const name = file.name.slice(Math.max(file.name.lastIndexOf("/"), file.name.lastIndexOf("\\")) + 1);
  return (
    <button
      type="button"
      class="current-file"
      title={`Attach ${file.name}`}
      aria-label={`Attach the current file, ${file.name}`}
      onClick={() => {
        bridge.post("attach", { request: { kind: "uri", uri: file.uri } });
        toBox();
      }}
    >
      + <bdi class="ellipsis">{name}</bdi>
    </button>
  );
}

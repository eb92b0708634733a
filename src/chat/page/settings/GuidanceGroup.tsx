import type { JSX } from "preact";
import { visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import type { GuidanceFile } from "../../protocol/chatGuidance.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { type ChangeSetting, SwitchField } from "./fields.tsx";

interface GuidanceProps {
  readonly deps: ChatPageDeps;
  readonly settings: ChatSettings;
  readonly change: ChangeSetting;
}

const kinds: Readonly<Record<Exclude<GuidanceFile["kind"], "problem">, string>> = {
  instructions: "sent with each request",
  mode: "the mode; sent with each request",
  folder: "sent with the first call for its files",
  listed: "named; the model reads it if it fits",
};

/** The instructions that are sent beside the user's own system prompt, and their files. */
export function GuidanceGroup({ deps, settings, change }: GuidanceProps): JSX.Element {
  const { bridge, store } = deps;
  const files = store.field("guidanceFiles");
  const acts = (settings.mode ?? "ask") !== "ask";
  return (
    <>
      {!acts && (
        <SwitchField
          label="Own instructions only"
          hint="In the mode Ask, the model is told nothing but your system prompt: not where it runs, and no style."
          useless={undefined}
          value={settings.onlyOwnPrompt}
          onChange={(value) => change("onlyOwnPrompt", value || undefined)}
        />
      )}
      {acts && files.length > 0 && (
        <ul class="guidance" aria-label="Files with instructions">
          {files.map((file) => (
            <GuidanceRow key={`${file.kind} ${file.path}`} deps={deps} file={file} />
          ))}
        </ul>
      )}
      <button type="button" class="link guidance-all" onClick={() => bridge.post("showTold", {})}>
        What the model is told…
      </button>
    </>
  );
}

function GuidanceRow({
  deps,
  file,
}: Pick<GuidanceProps, "deps"> & { readonly file: GuidanceFile }): JSX.Element {
  const { path, kind, problem = "" } = file;
  return (
    <li class={kind === "problem" ? "guidance-problem" : undefined}>
      <button
        type="button"
        class="link"
        title={`Opens ${visibleLine(path)}`}
        onClick={() => deps.bridge.post("openInstructions", { path })}
      >
        <bdi>{visibleLine(path)}</bdi>
      </button>{" "}
      {kind === "problem" ? `Not used: ${visibleText(problem)}` : kinds[kind]}
    </li>
  );
}

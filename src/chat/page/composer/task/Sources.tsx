import type { JSX } from "preact";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import type { GuidanceFile } from "../../../protocol/chatGuidance.ts";
import { Icon } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";

interface SourcesProps {
  readonly deps: ChatPageDeps;
}

/** True for a file whose text the model gets with each question. The settings of the chat list all files. */
export function isSentWhole({ kind }: GuidanceFile): boolean {
  return kind === "instructions" || kind === "mode";
}

/** The files whose instructions are sent with each question of the mode. */
export function Sources({ deps }: SourcesProps): JSX.Element {
  return (
    <>
      <p class="task-note">They are sent with each question of this mode. They can't approve anything.</p>
      <ul class="task-list">
        {deps.store
          .field("guidanceFiles")
          .filter(isSentWhole)
          .map(({ path }) => (
            <li key={path}>
              <Icon name="document" />
              <button
                type="button"
                class="link"
                title={`Opens ${visibleLine(path)}`}
                onClick={() => deps.bridge.post("openInstructions", { path })}
              >
                {visibleLine(path)}
              </button>
            </li>
          ))}
      </ul>
      <ToldLink deps={deps} />
    </>
  );
}

/** Opens all that the next request tells the model. */
export function ToldLink({ deps }: SourcesProps): JSX.Element {
  return (
    <button
      type="button"
      class="link"
      title="Opens the system prompt and the tools of the next request."
      onClick={() => deps.bridge.post("showTold", {})}
    >
      What the model is told…
    </button>
  );
}

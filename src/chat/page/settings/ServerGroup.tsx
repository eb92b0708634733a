import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { plural } from "../../../shared/text/plural.ts";
import type { ServerAction } from "../../protocol/chatProtocol.ts";
import type { ToolOffer, ToolServer } from "../../protocol/chatState.ts";
import { SwitchField } from "./fields.tsx";

export interface ServerGroupProps {
  readonly name: string;
  /** Absent for the editor. */
  readonly server?: ToolServer;
  readonly tools: readonly ToolOffer[];
  /** Names of tools that the model may call. */
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[], isOn: boolean) => void;
  readonly onAct?: (action: ServerAction) => void;
}

/** The tools of an MCP server, or of the editor: closed until some are chosen or the server runs. */
export function ServerGroup(props: ServerGroupProps): JSX.Element | null {
  const { name, server, tools, chosen, onChoose } = props;
  const names = tools.map((tool) => tool.name);
  const on = names.filter((one) => chosen.includes(one)).length;
  const [isOpen, setOpen] = useState(on > 0 || server?.state === "running");
  if (!server && tools.length === 0) return null;
  const areAllOn = on === names.length;
  return (
    <details
      class="settings-group tool-server"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {name} <span class="tool-count">{countOf(server, names.length, on)}</span>
      </summary>
      {server && <ServerRow {...props} server={server} />}
      {tools.length > 1 && (
        <p class="tool-actions">
          <button
            type="button"
            class="link"
            aria-label={`${areAllOn ? "No" : "All"} tools of ${name}`}
            onClick={() => onChoose(names, !areAllOn)}
          >
            {areAllOn ? "None" : "All"}
          </button>
        </p>
      )}
      {tools.map((tool) => (
        <SwitchField
          key={tool.name}
          label={server ? tool.title.slice(server.name.length + 2) : tool.title}
          hint={tool.description}
          useless={undefined}
          value={chosen.includes(tool.name)}
          onChange={(isOn) => onChoose([tool.name], isOn === true)}
        />
      ))}
    </details>
  );
}

const states = { stopped: "not running", starting: "starting…", running: "running" } as const;

function countOf(server: ToolServer | undefined, all: number, on: number): string {
  const state = server ? `MCP server, ${states[server.state]}` : undefined;
  const count = server && !server.isListed ? undefined : `${on} of ${plural(all, "tool")} on`;
  return [state, count].filter((one) => one !== undefined).join(" · ");
}

/** What starting it runs or asks, and the button for it. */
function ServerRow({ server, onAct }: ServerGroupProps & { readonly server: ToolServer }): JSX.Element {
  const { name, runs, file, state, isListed, problem, hasOutput } = server;
  const isStopped = state === "stopped";
  return (
    <>
      <p class="setting-note">
        <code dir="ltr">{runs}</code> ({file})
      </p>
      {problem !== undefined && <p class="setting-note wrong">{problem}</p>}
      <p class="tool-actions">
        <button
          type="button"
          class="button"
          aria-label={`${isStopped ? "Start" : "Stop"} ${name}`}
          onClick={() => onAct?.(isStopped ? "start" : "stop")}
        >
          {isStopped ? "Start" : "Stop"}
        </button>
        {hasOutput && (
          <button
            type="button"
            class="link"
            aria-label={`Show Output of ${name}`}
            onClick={() => onAct?.("showOutput")}
          >
            Show Output
          </button>
        )}
        {isStopped && (
          <span class="setting-note">
            {isListed ? "A call starts it, too." : "Its tools are known then."}
          </span>
        )}
      </p>
    </>
  );
}

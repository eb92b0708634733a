import type { JSX } from "preact";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import type { ListedChange } from "../../../protocol/chatState.ts";
import { IconButton } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { MiddleCut } from "../../turn/answer/MiddleCut.tsx";
import { PopupPanel } from "../PopupPanel.tsx";

const words: Readonly<Record<ListedChange["kind"], string>> = {
  changed: "",
  created: "new",
  deleted: "deleted",
  moved: "moved",
  linked: "link",
};

/** Characters at the end of a name that are never cut. */
const nameTail = 10;

interface ChangesPanelProps {
  readonly deps: ChatPageDeps;
  readonly onClose: () => void;
}

/** Files with pending hunks; each opens its diff. The buttons for all of them stay in view. */
export function ChangesPanel({ deps, onClose }: ChangesPanelProps): JSX.Element {
  const { store, bridge } = deps;
  const files = store.field("changedFiles");
  const count = store.field("changedFileCount");
  const review = (action: "acceptAll" | "rejectAll" | "next" | "all" | "commit") =>
    bridge.post("review", { action });
  const title = count === 1 ? "1 changed file" : `${count} changed files`;
  return (
    <PopupPanel
      title={title}
      label="Changed files"
      closeLabel="Close Changed Files"
      focus="header .icon-button"
      closesOutside
      onClose={onClose}
    >
      <ul class="changes" aria-label={title}>
        {files.map((file) => (
          <FileRow key={file.uri} deps={deps} file={file} />
        ))}
        {count > files.length && <li class="changes-more">and {count - files.length} more</li>}
      </ul>
      <div class="changes-bar">
        <button type="button" class="button" onClick={() => review("acceptAll")}>
          Accept All
        </button>
        <button type="button" class="button" onClick={() => review("rejectAll")}>
          Reject All
        </button>
        <button type="button" class="link" onClick={() => review("all")}>
          Review Changes
        </button>
        <button type="button" class="link" onClick={() => review("commit")}>
          Commit with Message
        </button>
      </div>
    </PopupPanel>
  );
}

/** Where a symbolic link leads, and has led. */
function targetsOf({ before, after }: NonNullable<ListedChange["link"]>): string {
  const former = before === undefined ? [] : [`was a link to ${visibleLine(before)}`];
  const now = after === undefined ? [] : [`links to ${visibleLine(after)}`];
  return [...now, ...former].join(", ");
}

function FileRow({ deps, file }: { readonly deps: ChatPageDeps; readonly file: ListedChange }): JSX.Element {
  const { uri, path, kind, link, added, removed } = file;
  const name = visibleLine(path);
  const slash = name.lastIndexOf("/");
  const lines = `${added} ${added === 1 ? "line" : "lines"} added, ${removed} removed`;
  const counts = `${name}: ${link ? targetsOf(link) : lines}`;
  const act = (action: "diff" | "accept" | "reject") => deps.bridge.post("review", { action, uri });
  return (
    <li class="change-row">
      <button
        type="button"
        class="change-open"
        aria-label={counts}
        title={`${counts}. Opens the diff.`}
        onClick={() => act("diff")}
      >
        <MiddleCut text={name.slice(slash + 1)} tail={nameTail} />
        {slash > 0 && <bdi class="change-folder ellipsis">{name.slice(0, slash)}</bdi>}
        {link && <bdi class="change-folder ellipsis">{targetsOf(link)}</bdi>}
        {words[kind] !== "" && <span class="change-kind">{words[kind]}</span>}
        <span class="change-counts">
          {added > 0 && <span class="change-added">+{added}</span>}
          {removed > 0 && <span class="change-removed">−{removed}</span>}
        </span>
      </button>
      <IconButton name="check" label={`Accept ${name}`} onClick={() => act("accept")} />
      <IconButton name="close" label={`Reject ${name}`} onClick={() => act("reject")} />
    </li>
  );
}

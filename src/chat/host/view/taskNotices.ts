import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import { shortened } from "../../../shared/text/shortened.ts";

export interface TaskNoticesDeps {
  /** The chat is shown, in a window that has the focus. */
  readonly isInSight: () => boolean;
  /** The user wants no messages; a badge makes no noise. */
  readonly isSilent: () => boolean;
  /** Shows a message; resolves to true if the user wants to see the chat. */
  readonly show: (text: string) => PromiseLike<boolean>;
  readonly reveal: () => PromiseLike<unknown>;
  /** A badge with this tooltip; undefined for none. */
  readonly setBadge: (tooltip: string | undefined) => void;
}

/** Characters of what a model says in a message of the editor. */
const maxSummary = 200;

/** Tells the user, who works elsewhere meanwhile, that a task waits or has ended. */
export class TaskNotices {
  readonly #deps: TaskNoticesDeps;

  constructor(deps: TaskNoticesDeps) {
    this.#deps = deps;
  }

  /** For a decision, an answer, or because a limit or an error has stopped it. */
  waits(summary: string): void {
    this.#tell("The agent waits for you", summary);
  }

  ended(summary: string): void {
    this.#tell("The agent has finished", summary);
  }

  /** The chat may have come into sight: what was told is seen. */
  look(): void {
    if (this.#deps.isInSight()) this.#deps.setBadge(undefined);
  }

  #tell(event: string, summary: string): void {
    const { isInSight, isSilent, setBadge, show, reveal } = this.#deps;
    if (isInSight()) return;
    setBadge(event);
    if (isSilent()) return;
    // A model may write links, which a message would make ready for a click.
    const line = withoutLinks(visibleLine(shortened(summary, maxSummary))).trim();
    void show(line === "" ? `${event}.` : `${event}: ${line}`).then((wanted) =>
      wanted ? reveal() : undefined,
    );
  }
}

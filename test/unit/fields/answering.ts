// A user who answers what the dialogs of the editor ask, for tests in plain Node.
import type { TestContext } from "node:test";
import { note, replace, shown } from "../vscodeDouble.ts";

/** The answer to an input box, or the item to choose of a list. `question` is a prompt or a placeholder. */
export type Answers = (question: string, items: readonly string[]) => string;

interface Item {
  readonly label: string;
}

/** Answers input boxes and lists until the test ends, and presses the first button of every message. */
export function answerDialogs(t: TestContext, answers: Answers): readonly string[] {
  shown.length = 0;
  const press = async (...texts: readonly unknown[]) => {
    note(texts);
    return texts.slice(1).find((text) => typeof text === "string");
  };
  const pickOf = (items: readonly Item[], { placeHolder = "" }: { readonly placeHolder?: string } = {}) => {
    note([placeHolder, items]);
    return items.find(({ label }) => label === answers(placeHolder, labelsOf(items)));
  };
  replace(
    "window",
    {
      createInputBox: () =>
        new Input((box) => {
          box.value = answers(box.prompt, []);
        }),
      createQuickPick: () =>
        new Input((box) => {
          const label = answers(box.placeholder, labelsOf(box.items));
          box.activeItems = box.items.filter((item) => item.label === label);
          box.value = label;
        }),
      showQuickPick: async (items: readonly Item[], options?: object) => pickOf(items, options),
      showInformationMessage: press,
      showWarningMessage: press,
      withProgress: async (_: unknown, task: (...progress: readonly unknown[]) => unknown) =>
        task({ report() {} }, { onCancellationRequested: () => ({ dispose() {} }) }),
    },
    t,
  );
  return shown;
}

function labelsOf(items: readonly Item[]): string[] {
  return items.map(({ label }) => label);
}

type Listener = (value: string) => unknown;

/** An input box or a list that is answered when it is shown. */
class Input {
  value = "";
  prompt = "";
  placeholder = "";
  items: readonly Item[] = [];
  activeItems: readonly Item[] = [];
  readonly #answer: (input: Input) => void;
  #onAccept: Listener = () => {};
  #onChange: Listener = () => {};

  constructor(answer: (input: Input) => void) {
    this.#answer = answer;
  }

  onDidAccept = (listener: Listener) => {
    this.#onAccept = listener;
  };
  onDidChangeValue = (listener: Listener) => {
    this.#onChange = listener;
  };
  onDidHide = () => {};
  onDidTriggerButton = () => {};
  dispose = () => {};

  show(): void {
    note([this.prompt, this.placeholder, this.items]);
    this.#answer(this);
    this.#onChange(this.value);
    this.#onAccept(this.value);
  }
}

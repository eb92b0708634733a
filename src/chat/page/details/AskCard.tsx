import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import type { ToolCallCard } from "../../protocol/chatMessages.ts";
import { answerText, skippedQuestion, type UserQuestion } from "../../protocol/userQuestion.ts";
import { commandEnter, isCommandEnter } from "../keys.ts";
import { InlineMarkdown } from "../plan/Plan.tsx";
import type { ChatPageDeps } from "../store/chatDeps.ts";

interface AskCardProps {
  readonly deps: ChatPageDeps;
  readonly answerId: string;
  readonly call: ToolCallCard;
  readonly asked: UserQuestion;
}

/**
 * A question of the model, with its choices and a field for other words. The answer is a text for the model: no call is
 * approved by it.
 */
export function AskCard({ deps, answerId, call, asked }: AskCardProps): JSX.Element {
  const { choices, multiple } = asked;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [words, setWords] = useState("");
  const give = (result: string) => deps.bridge.post("giveResult", { answerId, callId: call.id, result });
  const labels = choices.flatMap(({ label }, index) => (chosen.includes(index) ? [visibleLine(label)] : []));
  const isAnswered = labels.length > 0 || words.trim() !== "";
  const answer = () => {
    if (isAnswered) give(answerText(labels, words));
  };
  const pick = (index: number, isOn: boolean) => {
    const others = multiple ? chosen.filter((one) => one !== index) : [];
    setChosen(isOn ? [...others, index] : others);
  };
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault();
        answer();
      }}
      onKeyDown={(event) => {
        if (!isCommandEnter(event) || event.repeat) return;
        event.preventDefault();
        answer();
      }}
    >
      <fieldset class="ask-choices">
        <legend class="ask-question" dir="auto">
          <QuestionText deps={deps} text={asked.question} />
        </legend>
        {choices.map(({ label, description }, index) => (
          <label class="ask-choice" key={`${index} ${label}`}>
            <input
              type={multiple ? "checkbox" : "radio"}
              name={`ask-${answerId}-${call.id}`}
              checked={chosen.includes(index)}
              onChange={({ currentTarget }) => pick(index, currentTarget.checked)}
            />
            <span dir="auto">
              {visibleLine(label)}
              {description !== undefined && <span class="ask-description">{visibleLine(description)}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      <textarea
        rows={choices.length > 0 ? 1 : 3}
        aria-label={choices.length > 0 ? "Other words, or more" : "Your answer"}
        placeholder={choices.length > 0 ? "Other words, or more" : "Your answer"}
        aria-keyshortcuts="Control+Enter"
        dir="auto"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button primary" disabled={!isAnswered} aria-keyshortcuts="Control+Enter">
          Answer
          <span class="key" aria-hidden="true">
            {commandEnter()}
          </span>
        </button>
        <button type="button" class="button" onClick={() => give(skippedQuestion)}>
          Skip
        </button>
      </div>
    </form>
  );
}

/** A question of the model. Each line is Markdown: code and bold text are drawn. */
export function QuestionText({
  deps,
  text,
}: {
  readonly deps: ChatPageDeps;
  readonly text: string;
}): JSX.Element {
  return (
    <>
      {visibleText(text)
        .split("\n")
        .map((line, index) => (
          <div key={index}>
            <InlineMarkdown deps={deps} text={line} />
          </div>
        ))}
    </>
  );
}

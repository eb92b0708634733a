import { Component, createRef, Fragment, type JSX } from "preact";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { Answer } from "./answer/Answer.tsx";
import { Question } from "./Question.tsx";
import { Together } from "./Together.tsx";
import type { TurnWindow } from "./window/turnWindow.ts";

export interface TurnGroupProps {
  readonly deps: ChatPageDeps;
  readonly ids: readonly string[];
  /** Position of its first turn in the conversation, counted from 1. */
  readonly place: number;
  /** Set if the group contains the last turn, or the first turn that is sent while earlier ones are not. */
  readonly lastId: string | undefined;
  readonly cutId: string | undefined;
  /** The initial value; later the turn window decides. */
  readonly isDrawn: boolean;
  /** Registers the group after it is mounted. */
  readonly watch: TurnWindow["watch"];
}

/** Turns that are mounted and unmounted together. Rendered again only if one of them has changed. */
export class TurnGroup extends Component<TurnGroupProps, { readonly isDrawn: boolean }> {
  override state = { isDrawn: this.props.isDrawn };
  readonly element = createRef<HTMLDivElement>();
  unwatch: (() => void) | undefined;

  get isDrawn(): boolean {
    return this.state.isDrawn || this.isLast;
  }

  get isLast(): boolean {
    return this.props.lastId !== undefined;
  }

  show(isDrawn: boolean): void {
    this.setState({ isDrawn });
  }

  override componentDidMount(): void {
    if (this.element.current) this.unwatch = this.props.watch(this.element.current, this);
  }

  override componentWillUnmount(): void {
    this.unwatch?.();
  }

  override shouldComponentUpdate(next: TurnGroupProps, { isDrawn }: { readonly isDrawn: boolean }): boolean {
    const { ids, place, lastId, cutId } = this.props;
    const isSame = next.ids === ids && next.place === place && next.lastId === lastId && next.cutId === cutId;
    return !isSame || isDrawn !== this.state.isDrawn;
  }

  override render({ deps, ids, place, lastId, cutId }: TurnGroupProps): JSX.Element {
    const turns = ids.join(" ");
    if (!this.isDrawn) return <div class="turn-group away" data-turns={turns} ref={this.element} />;
    return (
      <div class="turn-group" data-turns={turns} ref={this.element}>
        {ids.map((id, index) => (
          <Fragment key={id}>
            {id === cutId && <CutLine />}
            <div data-turn={id}>
              <Turn deps={deps} id={id} place={place + index} isLast={id === lastId} />
            </div>
          </Fragment>
        ))}
      </div>
    );
  }
}

interface TurnProps {
  readonly deps: ChatPageDeps;
  readonly id: string;
  readonly place: number;
  readonly isLast: boolean;
}

function Turn({ deps, id, place, isLast }: TurnProps): JSX.Element {
  const message = deps.store.turn(id).value;
  if (message.role === "user") return <Question deps={deps} message={message} place={place} />;
  const ids = deps.store.together(id);
  if (ids.length > 1) return <Together deps={deps} chosenId={id} ids={ids} place={place} isLast={isLast} />;
  return <Answer deps={deps} message={message} place={place} isLast={isLast} />;
}

/** Marks the first message that is sent. */
export function CutLine(): JSX.Element {
  return <p class="cut-line">Messages above this line are not sent to the model</p>;
}

import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";

interface IconButtonProps<Name> {
  readonly name: Name;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean | ReadonlySignal<boolean>;
  /** For a button that stays down. */
  readonly pressed?: boolean;
  readonly className?: string;
}

export interface Icons<Name> {
  /** A drawing in the colour of the text around it. It is hidden from screen readers: its button has the label. */
  Icon(props: { readonly name: Name }): JSX.Element;
  IconButton(props: IconButtonProps<Name>): JSX.Element;
}

/** The drawings of a page by name, as paths in a square of 16: the `filled` ones are surfaces, the others lines. */
export function createIcons<Name extends string>(
  paths: Readonly<Record<Name, string>>,
  filled: ReadonlySet<Name>,
): Icons<Name> {
  function Icon({ name }: { readonly name: Name }): JSX.Element {
    return (
      <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path
          d={paths[name]}
          fill={filled.has(name) ? "currentColor" : "none"}
          stroke="currentColor"
          stroke-width="1.2"
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      </svg>
    );
  }
  function IconButton(props: IconButtonProps<Name>): JSX.Element {
    const { name, label, onClick, disabled = false, pressed, className = "" } = props;
    return (
      <button
        type="button"
        class={`icon-button ${className}`}
        aria-label={label}
        aria-pressed={pressed}
        title={label}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon name={name} />
      </button>
    );
  }
  return { Icon, IconButton };
}

import type { ComponentChildren, JSX } from "preact";
import { useDialog } from "../../../webview/ui/dialog.ts";
import { IconButton } from "../icons.ts";
import { usePopupRoom } from "./usePopupRoom.ts";

export interface PopupPanelProps {
  readonly title: string;
  readonly label: string;
  readonly closeLabel: string;
  /** Selector of the field that gets the focus. */
  readonly focus: string;
  /** A button that changes all fields of the panel. */
  readonly action: { readonly label: string; readonly isDisabled?: boolean; readonly run: () => void };
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A panel of fields above the prompt. */
export function PopupPanel(props: PopupPanelProps): JSX.Element {
  const { title, label, closeLabel, focus, action, onClose, children } = props;
  const dialog = useDialog<HTMLElement>({ onClose, focus });
  usePopupRoom(dialog.ref, true);
  return (
    <section ref={dialog.ref} class="settings-panel" aria-label={label} onKeyDown={dialog.handle}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="link" disabled={action.isDisabled ?? false} onClick={action.run}>
          {action.label}
        </button>
        <IconButton name="close" label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

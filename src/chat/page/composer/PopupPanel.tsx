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
  readonly action?: { readonly label: string; readonly isDisabled?: boolean; readonly run: () => void };
  /** A press outside of the composer closes it. */
  readonly closesOutside?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A panel above the prompt: a dialog that leaves the rest of the page usable. */
export function PopupPanel(props: PopupPanelProps): JSX.Element {
  const { title, label, closeLabel, focus, action, closesOutside = false, onClose, children } = props;
  const dialog = useDialog<HTMLDivElement>({ onClose, focus, closesOutside });
  usePopupRoom(dialog.ref, true);
  return (
    <div
      ref={dialog.ref}
      class="settings-panel"
      role="dialog"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={dialog.handle}
    >
      <header>
        <h2>{title}</h2>
        {action && (
          <button type="button" class="link" disabled={action.isDisabled ?? false} onClick={action.run}>
            {action.label}
          </button>
        )}
        <IconButton name="close" label={closeLabel} onClick={onClose} />
      </header>
      {children}
    </div>
  );
}

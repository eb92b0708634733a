import { Component, type ComponentChildren } from "preact";

interface Props {
  readonly children: ComponentChildren;
  /** Drawn where the children can't be. */
  readonly instead: ComponentChildren;
}

/** Results come from a node and may have any shape: one that a view can't draw is drawn in another way. */
export class Guard extends Component<Props, { readonly failed: boolean }> {
  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override state = { failed: false };
  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

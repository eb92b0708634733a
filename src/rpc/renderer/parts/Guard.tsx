import { Component, type ComponentChildren } from "preact";

interface Props {
  readonly children: ComponentChildren;
  /** Rendered if the children throw. */
  readonly instead: ComponentChildren;
}

/** An error boundary, because results of nodes may have any shape. */
export class Guard extends Component<Props, { readonly failed: boolean }> {
  static override getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  override state = { failed: false };
  override render() {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}

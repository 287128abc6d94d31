import { Component, type ReactNode } from "react";
import type { Page } from "../lib/api.gen";
import { WayOut } from "./way-out";

type Props = { page: Page; children: ReactNode };

// A page that fails while it is shown leaves the header and a way out standing.
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.page !== this.props.page) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <WayOut
        title="Unexpected Application Error!"
        message="Something on this page broke. It is our fault, not yours."
        retry={this.props.page.url}
      />
    );
  }
}

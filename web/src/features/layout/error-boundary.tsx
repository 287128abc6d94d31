import * as m from "messages/layout";
import { Component, type ReactNode } from "react";
import type { Page } from "../../lib/api.gen";
import { pageUrl } from "../../lib/urls";
import { ErrorState } from "./error-state";

type Props = { page: Page; children: ReactNode };

// The error boundary: a page that fails to render keeps the header and shows an error.
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
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
      <ErrorState
        title={m.applicationError()}
        message={m.brokenPage()}
        retry={pageUrl(this.props.page)}
      />
    );
  }
}

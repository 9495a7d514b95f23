import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Component, type ReactNode } from 'react';

interface Props {
  onError: (error: unknown) => void;
  children: ReactNode;
}

/** Keeps the menus when a screen throws or its code cannot be fetched. Another screen starts anew. */
export class ScreenBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Notice
        kind="danger"
        title={m.shell_error_title()}
        action={
          <Button variant="quiet" isDense onClick={() => location.reload()}>
            {m.shell_error_reload()}
          </Button>
        }
      >
        {m.shell_error_text()}
      </Notice>
    );
  }
}

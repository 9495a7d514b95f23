import { m } from '@athos/messages/messages';
import { Component, type ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';
import { AuthScreen } from './auth-screen.tsx';

interface Props {
  onError: (error: unknown) => void;
  children: ReactNode;
}

/** Shows an error screen in place of a screen that failed. React has error boundaries as classes only. */
export class ScreenErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorScreen /> : this.props.children;
  }
}

/** A fault of ours, or a part of the app that could not be fetched. */
function ErrorScreen() {
  return (
    <AuthScreen title={m.shell_error_title()} lead={m.shell_error_text()}>
      <Button isWide onClick={() => location.reload()}>
        {m.shell_error_reload()}
      </Button>
    </AuthScreen>
  );
}

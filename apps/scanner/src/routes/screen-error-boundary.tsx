import { Component, type ReactNode } from 'react';
import { ErrorScreen } from '../features/start/error-screen.tsx';
import { log } from '../state/log.ts';

interface Props {
  children: ReactNode;
}

/** Shows the error screen in place of a screen that failed. React has error boundaries as classes only. */
export class ScreenErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    log('screen_failed', { error: String(error) });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <ErrorScreen /> : this.props.children;
  }
}

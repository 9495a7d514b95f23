import { m } from '@athos/messages/messages';
import { Component, type ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';
import { AuthScreen } from './auth-screen.tsx';

interface Props {
  onError: (error: unknown) => void;
  /** Shown instead of a whole error screen, for apps whose menus stay usable. */
  fallback?: ReactNode;
  /** Where the user is. Another place is tried anew after a failure. */
  place?: string;
  children: ReactNode;
}

interface State {
  readonly hasFailed: boolean;
  readonly place: string | undefined;
}

/** Replaces a screen that threw with an error screen. A class, because React has no other error boundaries. */
export class ScreenErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, place: this.props.place };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ place }: Props, state: State): State | null {
    return place === state.place ? null : { hasFailed: false, place };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }

  override render(): ReactNode {
    const { fallback = <ErrorScreen />, children } = this.props;
    return this.state.hasFailed ? fallback : children;
  }
}

/** Shown after a bug, or if a chunk of the app could not be fetched. */
function ErrorScreen() {
  return (
    <AuthScreen title={m.shell_error_title()} lead={m.shell_error_text()}>
      <Button isWide onClick={() => location.reload()}>
        {m.shell_error_reload()}
      </Button>
    </AuthScreen>
  );
}

/** Texts for failed sign-ins. The server returns the same error for a wrong address, password or code (O-011). */
import { m } from '@athos/messages/messages';
import type { SignInFailure } from '../../api/session.ts';
import type { SessionEnd } from '../../state/session.ts';

export interface SignInWords {
  readonly kind: 'info' | 'danger';
  readonly title: string;
  readonly text?: string;
}

export function wordsOfEnd(end: SessionEnd): SignInWords | undefined {
  switch (end) {
    case 'ended':
      return {
        kind: 'info',
        title: m.console_sign_in_ended_title(),
        text: m.console_sign_in_ended(),
      };
    case 'unreachable':
      return { kind: 'danger', ...unreachable() };
    case 'left':
    case 'never_begun':
      return undefined;
  }
}

const unreachable = () => ({
  title: m.console_sign_in_no_network_title(),
  text: m.console_sign_in_no_network(),
});

export function wordsOfFailure(failure: SignInFailure): SignInWords {
  const kind = 'danger';
  switch (failure.kind) {
    case 'incorrect':
      return {
        kind,
        title: m.console_sign_in_incorrect_title(),
        text: m.console_sign_in_incorrect(),
      };
    case 'no_passkey':
      return {
        kind,
        title: m.console_sign_in_no_passkey_title(),
        text: m.console_sign_in_no_passkey(),
      };
    case 'too_many':
      return {
        kind,
        title: m.console_sign_in_too_many_title(),
        text: m.errors_too_many({ seconds: failure.seconds }),
      };
    case 'no_network':
      return { kind, ...unreachable() };
    case 'refused':
      return { kind, title: failure.title };
    case 'failed':
      return {
        kind,
        title: m.console_sign_in_failed_title(),
        text: m.console_sign_in_failed(),
      };
  }
}

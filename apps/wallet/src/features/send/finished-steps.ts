/**
 * History entries of completed sends. Back and Forward to such an entry lead home: an empty step of a completed send would look like an
 * unfinished one. Kept per tab, like the history, so that a reload in between changes nothing.
 */
import { sessionStore } from '@athos/app-core/storage';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';

/** Router keys, separated by spaces: of the steps shown since the last completed send, and of the steps of earlier sends. */
const OPEN = 'send-steps-open';
const FINISHED = 'send-steps-finished';
/** A browser keeps 50 history entries per tab. */
const KEY_COUNT_MAX = 50;
/** The router gives every entry that was created by a page load this key. */
const LOADED_KEY = 'default';

const keysIn = (name: string): string[] => (sessionStore.read(name) ?? '').split(' ');

function keep(name: string, keys: readonly string[]): void {
  sessionStore.write(name, [...new Set(keys)].slice(-KEY_COUNT_MAX).join(' '));
}

/** Called when the send is completed. */
export function finishSteps(): void {
  keep(FINISHED, [...keysIn(FINISHED), ...keysIn(OPEN)]);
  sessionStore.remove(OPEN);
}

/** Records that a step is shown. Returns true if it belongs to a completed send, and then navigates home. */
export function useIsOver(): boolean {
  const { key } = useLocation();
  const navigate = useNavigate();
  // Looked up once, because the last step stays until its success dialog is closed.
  const [isOver] = useState(() => keysIn(FINISHED).includes(key));
  useEffect(() => {
    if (isOver) void navigate(paths.home, { replace: true });
    else if (key !== LOADED_KEY) keep(OPEN, [...keysIn(OPEN), key]);
  }, [isOver, key, navigate]);
  return isOver;
}

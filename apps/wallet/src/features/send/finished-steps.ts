/**
 * History entries of sends that are done. Back and Forward lead from them home: an empty step of a finished send would look as
 * if something were left to do. Kept for the tab, as the history is, so that a reload in between changes nothing.
 */
import { sessionStore } from '@athos/app-core/storage';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';

/** Keys of the router, separated by spaces: the steps shown since the last send was done, and those of sends before. */
const OPEN = 'send-steps-open';
const FINISHED = 'send-steps-finished';
/** A browser keeps 50 entries of a tab. */
const KEY_COUNT_MAX = 50;
/** The router's key of every entry that a page load made. */
const LOADED_KEY = 'default';

const keysIn = (name: string): string[] => (sessionStore.read(name) ?? '').split(' ');

function keep(name: string, keys: readonly string[]): void {
  sessionStore.write(name, [...new Set(keys)].slice(-KEY_COUNT_MAX).join(' '));
}

/** Called when the send is done. */
export function finishSteps(): void {
  keep(FINISHED, [...keysIn(FINISHED), ...keysIn(OPEN)]);
  sessionStore.remove(OPEN);
}

/** Notes that a step is shown. True if it belongs to a finished send; then it leads home. */
export function useIsOver(): boolean {
  const { key } = useLocation();
  const navigate = useNavigate();
  // Looked up once, because the last step stays until its success is closed.
  const [isOver] = useState(() => keysIn(FINISHED).includes(key));
  useEffect(() => {
    if (isOver) void navigate(paths.home, { replace: true });
    else if (key !== LOADED_KEY) keep(OPEN, [...keysIn(OPEN), key]);
  }, [isOver, key, navigate]);
  return isOver;
}

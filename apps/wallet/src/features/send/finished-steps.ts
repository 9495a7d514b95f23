/**
 * History entries of sends that are done. Back and Forward lead from them home: an empty step of a finished send would look as
 * if something were left to do. Kept in memory, so that after a reload they are ordinary steps of a new send.
 */
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';

/** The router's key of every entry that a page load made. */
const LOADED_KEY = 'default';

const open = new Set<string>();
const finished = new Set<string>();

/** Called when the send is done. */
export function finishSteps(): void {
  for (const key of open) finished.add(key);
  open.clear();
}

/** Notes that a step is shown. True if it belongs to a finished send; then it leads home. */
export function useIsOver(): boolean {
  const { key } = useLocation();
  const navigate = useNavigate();
  // Looked up once, because the last step stays until its success is closed.
  const [isOver] = useState(() => finished.has(key));
  useEffect(() => {
    if (isOver) void navigate(paths.home, { replace: true });
    else if (key !== LOADED_KEY) open.add(key);
  }, [isOver, key, navigate]);
  return isOver;
}

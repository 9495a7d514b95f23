import { useEffect, useRef, useState } from 'react';

/** After the last key, so that a word is searched once. */
const TYPING_PAUSE_MS = 400;

interface TypedFilter {
  /** As the address has it. */
  readonly written: string | undefined;
  /** What the typed text means; `undefined` if it filters nothing. */
  readonly read: (text: string) => string | undefined;
  readonly onWrite: (value: string | undefined) => void;
}

/** A text of the filter while it is typed. It is written to the address once the typing pauses. */
export function useTypedFilter(filter: TypedFilter): [string, (text: string) => void] {
  const { written, read } = filter;
  const [typed, setTyped] = useState(written ?? '');
  // The address may change otherwise too: 'Show everything', the browser's Back.
  const [shown, setShown] = useState(written);
  if (written !== shown) {
    setShown(written);
    if (written !== read(typed)) setTyped(written ?? '');
  }
  const latest = useRef(filter);
  useEffect(() => {
    latest.current = filter;
  });
  useEffect(() => {
    const value = latest.current.read(typed);
    if (value === latest.current.written) return undefined;
    const timer = setTimeout(() => latest.current.onWrite(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return [typed, setTyped];
}

import { useEffect, useRef, useState } from 'react';

/** Delay after the last key press, so that each word is searched only once. */
const TYPING_PAUSE_MS = 400;

interface TypedFilter {
  /** The value in the address. */
  readonly written: string | undefined;
  /** Parses the typed text; `undefined` if it filters nothing. */
  readonly read: (text: string) => string | undefined;
  readonly onWrite: (value: string | undefined) => void;
}

/** A text filter that is being typed. It is written to the address once typing pauses. */
export function useTypedFilter(filter: TypedFilter): [string, (text: string) => void] {
  const { written, read } = filter;
  const [typed, setTyped] = useState(written ?? '');
  // The address can also change without typing: by 'Show everything' or the browser's Back.
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

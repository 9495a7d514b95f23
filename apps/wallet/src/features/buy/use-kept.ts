import { useState } from 'react';

/** The last value there was, for a modal that fades out with what it showed. */
export function useKept<T extends object>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}

import { useState } from 'react';

/** Returns the last defined value, for a modal that still shows it while it fades out. */
export function useKept<T extends object>(value: T | undefined): T | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}

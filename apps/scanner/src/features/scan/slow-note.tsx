import { m } from '@athos/messages/messages';
import { useEffect, useState } from 'react';

/** Longer than a good network takes, and before anybody wonders. */
const SLOW_AFTER_MS = 3000;

/** Says that the network is slow, once it is. */
export function SlowNote() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p role="status" className="text-body text-ink-quiet min-h-6 text-center">
      {isSlow && m.scanner_app_slow()}
    </p>
  );
}

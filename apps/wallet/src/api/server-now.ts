import { useEffect, useState } from 'react';
import { client } from './http.ts';

/** Maximum delay until the screen shows that a sale has begun or ended. */
const TICK_MS = 5000;

/** Milliseconds since 1970 by the server's clock, which decides what is on sale. */
export function useServerNowMs(tickMs = TICK_MS): number {
  const [nowMs, setNowMs] = useState(() => client.serverNowMs());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(client.serverNowMs()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}

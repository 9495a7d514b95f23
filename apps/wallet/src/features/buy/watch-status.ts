import { queryClient } from '@athos/app-core/query-client';
import { QueryObserver } from '@tanstack/react-query';
import { paymentStatusQuery } from '../../api/payment.ts';

/** After this time the user is told that the credit will follow (docs/cards.md "Browser"). */
const LATE_AFTER_MS = 120_000;

interface StatusHandlers {
  readonly onCredited: () => void;
  /** The outcome is final and not a credit. Receives the provider's message, if there is one. */
  readonly onFailed: (error: string | null) => void;
  /** Called when the state could not be read. */
  readonly onUnreadable: () => void;
  readonly onLate: () => void;
}

/**
 * Polls a payment's state every 1.5 s until it is final (spec 4), and at once on a live event about a payment. When it
 * is late, only such events trigger a read. Returns a function that stops it.
 */
export function watchStatus(paymentId: string, handlers: StatusHandlers): () => void {
  const query = paymentStatusQuery(paymentId);
  queryClient.removeQueries({ queryKey: query.queryKey });
  const observer = new QueryObserver(queryClient, query);
  let unreadableAtMs = 0;

  const unsubscribe = observer.subscribe(({ data, errorUpdatedAt }) => {
    if (errorUpdatedAt > unreadableAtMs) {
      unreadableAtMs = errorUpdatedAt;
      handlers.onUnreadable();
    }
    if (data === undefined || data.outcome === 'open') return;
    stop();
    if (data.outcome === 'credited') handlers.onCredited();
    else handlers.onFailed(data.error);
  });
  const lateTimer = setTimeout(() => {
    observer.setOptions({ ...query, refetchInterval: false });
    handlers.onLate();
  }, LATE_AFTER_MS);

  function stop(): void {
    clearTimeout(lateTimer);
    unsubscribe();
  }
  return stop;
}

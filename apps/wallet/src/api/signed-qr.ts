/**
 * The QR codes that this app shows (spec 3 and 7). The browser builds the content by the server's clock, and the server
 * signs it (D-067). A code is replaced every 10 s and never shown after its 30 s.
 */
import { ApiError } from '@athos/client/errors';
import {
  canonicalQrText,
  QR_REFRESH_MS,
  QR_VALID_MS,
  QR_VERSION,
  signedQrText,
  type QrContent,
  type QrKind,
} from '@athos/domain/qr-payload';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { client } from './http.ts';

/** The content of a code, except the time. */
export interface QrSubject {
  readonly kind: QrKind;
  readonly userUuid: string;
  /** For a purchase code: the items to redeem, at least one. */
  readonly itemIds?: readonly number[];
}

interface SignedCode {
  readonly text: string;
  /** By the server's clock. */
  readonly validUntilMs: number;
}

async function signCode(subject: QrSubject, signal: AbortSignal): Promise<SignedCode> {
  const { kind, userUuid, itemIds } = subject;
  const issuedAtMs = client.serverNowMs();
  const content: QrContent = {
    t: kind,
    d: {
      a: userUuid,
      t: issuedAtMs,
      v: QR_VERSION,
      ...(itemIds !== undefined && { i: itemIds }),
    },
  };
  const { signature } = await client.call('sign', {
    body: { data: canonicalQrText(content) },
    signal,
  });
  return { text: signedQrText(content, signature), validUntilMs: issuedAtMs + QR_VALID_MS };
}

const signedQrQuery = (subject: QrSubject) =>
  queryOptions({
    queryKey: ['signed-qr', subject],
    queryFn: ({ signal }) => signCode(subject, signal),
    refetchInterval: QR_REFRESH_MS,
    staleTime: 0,
    // The next visit must not briefly show an old code.
    gcTime: 0,
  });

/**
 * `current`: the newest code. `ageing`: still valid, but its replacement is late. `failed`: there is no code to show.
 * `refused`: there will be none, because the server does not sign this content.
 */
export type ShownCode =
  | { readonly state: 'loading' | 'failed' | 'refused' }
  | { readonly state: 'current' | 'ageing'; readonly text: string };

const isRefusal = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'invalid_qr_payload';

/** Returns the code to show now, and a function that requests a new one at once. */
export function useSignedQr(subject: QrSubject): { code: ShownCode; askAgain: () => void } {
  const { data, error, refetch } = useQuery(signedQrQuery(subject));
  const isOver = useIsPast(data?.validUntilMs);
  const askAgain = (): void => void refetch();
  if (isRefusal(error)) return { code: { state: 'refused' }, askAgain };
  if (data !== undefined && !isOver) {
    return { code: { state: error === null ? 'current' : 'ageing', text: data.text }, askAgain };
  }
  return { code: { state: error === null ? 'loading' : 'failed' }, askAgain };
}

/** Whether the server's clock has reached `atMs`. A phone that slept checks again when the page becomes visible. */
function useIsPast(atMs: number | undefined): boolean {
  const isPast = (): boolean => atMs !== undefined && client.serverNowMs() >= atMs;
  const subscribe = useCallback(
    (onChange: () => void): (() => void) => {
      if (atMs === undefined) return () => undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      function wait(end: number): void {
        onChange();
        const leftMs = end - client.serverNowMs();
        // The estimate of the server's clock may have changed, so some time may be left.
        if (leftMs > 0) timer = setTimeout(() => wait(end), leftMs);
      }
      wait(atMs);
      document.addEventListener('visibilitychange', onChange);
      return () => {
        clearTimeout(timer);
        document.removeEventListener('visibilitychange', onChange);
      };
    },
    [atMs],
  );
  return useSyncExternalStore(subscribe, isPast);
}

/** The signed code that another user scans to send to this account (spec 3 and 7, decisions "Signed QR codes"). */
import {
  canonicalQrText,
  QR_VERSION,
  signedQrText,
  type QrContent,
} from '@athos/domain/qr-payload';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from './http.ts';

/** Spec 9. */
const QR_REFRESH_MS = 10_000;

async function signAccountCode(userUuid: string, signal: AbortSignal): Promise<string> {
  const content: QrContent = {
    t: 'transfer',
    d: { a: userUuid, t: client.serverNowMs(), v: QR_VERSION },
  };
  const { signature } = await client.call('sign', {
    body: { data: canonicalQrText(content) },
    signal,
  });
  return signedQrText(content, signature);
}

const accountQrQuery = (userUuid: string) =>
  queryOptions({
    queryKey: ['account-qr', userUuid],
    queryFn: ({ signal }) => signAccountCode(userUuid, signal),
    refetchInterval: QR_REFRESH_MS,
    staleTime: 0,
    // An old code must not flash up on the next visit.
    gcTime: 0,
  });

/** The text of the code, made anew every 10 s while it is shown. */
export const useAccountQr = (userUuid: string) => useQuery(accountQrQuery(userUuid));

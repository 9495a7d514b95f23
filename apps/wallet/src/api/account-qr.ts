import { useSignedQr, type ShownCode } from './signed-qr.ts';

/**
 * The code that another user scans to send to this account. Who scans it takes the address alone (decisions "Signed QR
 * codes"), so there is no harm in a code whose successor is late.
 */
export const useAccountQr = (userUuid: string): { code: ShownCode; askAgain: () => void } =>
  useSignedQr({ kind: 'transfer', userUuid });

/** Decides how long a send can be undone, if the sender's wallet leaves that to the server (decision 0063). */
import {
  canonicalQrText,
  parseSignedQr,
  QR_MET_MS,
  QR_VALID_MS,
  QR_VERSION,
} from '@athos/domain/qr-payload';
import type { Clock } from '../../../platform/clock.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { judgeSend, type JudgeDeps, type JudgedSend } from './judge-send.ts';

export interface UndoTimeDeps extends JudgeDeps {
  readonly clock: Clock;
  readonly programme: ReadProgramme;
  readonly qrKeys: Pick<SigningKeys, 'verifyText'>;
}

/** The wallet's information about the send. */
export interface UndoWish {
  /** Whether the wallet warned the sender of the receiver or of the amount. The server may find a reason even if this is false. */
  readonly isWarned: boolean;
  /** The text of the code that was scanned from the receiver's screen. */
  readonly met: string | undefined;
  /** The time that the sender chose instead of the programme's. */
  readonly chosenSeconds: number | undefined;
}

/** Whether this is the receiver's own code, signed so recently that the sender must have seen their screen. */
function hasMet(
  { clock, qrKeys }: UndoTimeDeps,
  met: string | undefined,
  recipientUuid: string,
): boolean {
  const code = met === undefined ? undefined : parseSignedQr(met);
  if (code?.t !== 'transfer' || code.d.v !== QR_VERSION || code.d.a !== recipientUuid) return false;
  const ageMs = clock.nowMs() - code.d.t;
  // The phone that shows a code sets its time, within the limits that the signature allows.
  if (ageMs > QR_MET_MS || ageMs < -QR_VALID_MS) return false;
  return qrKeys.verifyText(canonicalQrText(code), code.s);
}

export interface UndoTime {
  /** With 0, the amount arrives at once. */
  readonly undoSeconds: number;
  /** `undefined` if the send was not judged. */
  readonly isFirstTime: boolean | undefined;
}

const AT_ONCE: UndoTime = { undoSeconds: 0, isFirstTime: undefined };

export async function undoTimeFor(
  deps: UndoTimeDeps,
  { isWarned, met, chosenSeconds }: UndoWish,
  send: JudgedSend,
): Promise<UndoTime> {
  if (hasMet(deps, met, send.recipientUuid)) return AT_ONCE;
  const { undoSeconds, undoFirstSeconds } = await deps.programme();
  const usualSeconds = chosenSeconds ?? undoSeconds;
  // Whatever the judgement, the send would not be held. Sends at once need not read earlier ones.
  if (usualSeconds === 0 && undoFirstSeconds === 0) return AT_ONCE;
  const judged = await judgeSend(deps, send, isWarned);
  return {
    undoSeconds: judged.isWarned ? undoFirstSeconds : usualSeconds,
    isFirstTime: judged.isFirstTime,
  };
}

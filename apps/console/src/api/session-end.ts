/**
 * Warns before the session ends, so that nothing typed is lost without notice (WCAG 2.2.1). It ends after a while without a person's call
 * (O-017) and at the latest some hours after the sign-in (O-018). Whoever types makes a call from time to time.
 */
import { createValue } from '@athos/app-core/value';
import { isSomebodyPresent, lastCallAtMs, noteCall } from '../state/presence.ts';
import { session, type SessionLimits } from '../state/session.ts';
import { ask, serverNowMs } from './call.ts';

/** `idle`: a call prevents it. `limit`: nothing does. */
export interface SessionEnding {
  readonly kind: 'idle' | 'limit';
  readonly at: string;
}

/** How long before the end a person is warned, or half of the idle time if that is less. */
const IDLE_WARNING_MS = 2 * 60_000;
const LIMIT_WARNING_MS = 15 * 60_000;
/** A person who types makes a call this often, or six times in the idle time. */
const CALL_EVERY_MS = 5 * 60_000;
/** The server notes a call at most this often, so a session may end this much early. */
const NOTED_EVERY_MS = 10_000;
const CHECK_EVERY_MS = 5_000;

/** The end that is near, if one is. */
export const sessionEnding = createValue<SessionEnding | undefined>(undefined);

let calling: Promise<void> | undefined;

/** Makes a call. It keeps the session if somebody is present, and otherwise finds out whether it has ended. Never rejects. */
export function callMe(): Promise<void> {
  calling ??= askMe().finally(() => {
    calling = undefined;
    showEnding();
  });
  return calling;
}

async function askMe(): Promise<void> {
  try {
    const me = await ask('me', {});
    noteCall(Date.parse(me.session.seenAt));
  } catch {
    // The next check calls again.
  }
}

const limitsNow = (): SessionLimits | undefined => {
  const current = session.get();
  return 'limits' in current ? current.limits : undefined;
};

const idleEndMs = ({ idleMs }: SessionLimits): number => lastCallAtMs() + idleMs - NOTED_EVERY_MS;

function endingOf(limits: SessionLimits): SessionEnding | undefined {
  const nowMs = serverNowMs();
  const { endsAtMs, idleMs } = limits;
  const idleAtMs = idleEndMs(limits);
  const warningMs = Math.min(IDLE_WARNING_MS, idleMs / 2);
  const kind = endsAtMs <= idleAtMs ? 'limit' : 'idle';
  const [endMs, warnedMs] = kind === 'limit' ? [endsAtMs, LIMIT_WARNING_MS] : [idleAtMs, warningMs];
  // While a new release is rolled out, an API of the one before may answer, which does not say how long a session may be idle.
  const isNear = nowMs >= endMs - warnedMs;
  return isNear ? { kind, at: new Date(endMs).toISOString() } : undefined;
}

function showEnding(): void {
  const limits = limitsNow();
  const ending = limits === undefined ? undefined : endingOf(limits);
  const shown = sessionEnding.get();
  if (ending?.kind !== shown?.kind || ending?.at !== shown?.at) sessionEnding.set(ending);
}

/** Watches the session until the returned function is called. */
export function followSessionEnd(): () => void {
  function check(): void {
    const limits = limitsNow();
    if (limits === undefined) return;
    const nowMs = serverNowMs();
    const isCallDue = nowMs - lastCallAtMs() >= Math.min(CALL_EVERY_MS, limits.idleMs / 6);
    const isInUse = isSomebodyPresent() && sessionEnding.get()?.kind !== 'idle';
    // Another tab may have kept the session. If nothing did, the answer says so and this screen is left.
    const isOver = nowMs >= Math.min(limits.endsAtMs, idleEndMs(limits));
    if (isOver || (isInUse && isCallDue)) void callMe();
    else showEnding();
  }

  showEnding();
  const timer = setInterval(check, CHECK_EVERY_MS);
  return () => {
    clearInterval(timer);
    sessionEnding.set(undefined);
  };
}

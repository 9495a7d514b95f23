/**
 * Processes one scan after another: read a code, show its content, redeem, show the result, next. It lives outside React, because a request
 * has an outcome whatever is on the screen. Nothing is shown as redeemed before the server confirms it. An enrolled device judges a code
 * itself if the server does not respond, and marks the result as unconfirmed.
 */
import { confirmIntent, settleIntent } from '@athos/app-core/intents/intent';
import { isNetworkLost } from '@athos/app-core/network';
import type { ErrorCode } from '@athos/contract/errors';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { QR_VALID_MS } from '@athos/domain/qr-payload';
import { TICKET_CODE_START } from '@athos/domain/ticket-code';
import type { Outcome } from '@athos/client/outcome';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { createValue, type Value } from '@athos/app-core/value';
import {
  redeemItems,
  scanCode,
  serverNowMs,
  type PurchaseScan,
  type Redemption,
  type Scan,
  type TierScan,
} from '../../api/codes.ts';
import { readOwnRedemptions } from '../../api/offline.ts';
import { refreshScans } from '../../api/scans.ts';
import { canJudge, isShiftOn, offlineStatus } from '../../state/offline-status.ts';
import { rememberScan, type RecentScan } from '../../state/recent-scans.ts';
import { redeemPlaceOf, type RedeemIntent } from '../../state/redeem-intent.ts';
import { session } from '../../state/session.ts';
import { forgetUnsure, rememberUnsure } from '../../state/unsure-items.ts';
import type { Venue } from '../../state/venue.ts';
import type { DeskState } from './desk-state.ts';
import { OfflineDesk } from './offline-desk.ts';
import { withOwn } from './offline-scan.ts';

/** Pause before a request without a response is repeated. The client has already tried more than once by then. */
const ASK_AGAIN_MS = 4000;
/** How long a device that can judge a code itself waits for the server. */
const LOOK_ALONE_MS = 2500;

export class Desk {
  readonly state: Value<DeskState> = createValue<DeskState>({ phase: 'ready' });
  readonly #userUuid: string;
  readonly #venue: Venue;
  readonly #place: ReturnType<typeof redeemPlaceOf>;
  readonly #alone: OfflineDesk;
  /** The current scan's id in the list of recent scans. */
  #scanId = '';
  #venueName: string;
  #titles: readonly string[] = [];
  #reading = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  /** The time until which the code on the guest's screen can have been valid. */
  #readUntilMs = 0;
  /** Whether staff have already heard that the current code got no response. */
  #wasLost = false;

  constructor(userUuid: string, venue: Venue) {
    this.#userUuid = userUuid;
    this.#venue = venue;
    this.#place = redeemPlaceOf(userUuid);
    this.#venueName = venue.name;
    this.#alone = new OfflineDesk({
      state: this.state,
      post: { staffUuid: userUuid, venueId: venue.id },
      note: (scan) => this.#note(scan),
      showItems: (payload, scan) => this.#showItems(payload, scan, true),
      showLost: (payload) => this.#showLost(payload),
    });
  }

  /** Starts, resuming a redemption whose response was lost in a reload. Returns a function that stops. */
  start(): () => void {
    this.#isRunning = true;
    const left = this.#place.resume();
    if (left !== undefined) {
      this.#scanId = left.key;
      this.#venueName = left.content.venueName;
      void this.#askFor(confirmIntent(this.#place, left.content));
    }
    const unsubscribe = isNetworkLost.subscribe(() => {
      if (isNetworkLost.get()) return;
      this.askAgain();
      this.#readAgainInTime();
      this.#askInstead();
    });
    return () => {
      this.#isRunning = false;
      unsubscribe();
      clearTimeout(this.#timer);
      this.#reading.abort();
    };
  }

  /** Processes the text of a scanned code. Ignored unless the camera is shown. */
  readonly read = (payload: string): void => {
    if (this.state.get().phase !== 'ready') return;
    this.#scanId = newIdempotencyKey();
    this.#venueName = this.#venue.name;
    this.#titles = [];
    this.#readUntilMs = Date.now() + QR_VALID_MS;
    this.#wasLost = false;
    if (canJudge() && isNetworkLost.get()) this.#look(payload);
    else this.#ask(payload);
  };

  /** Requests the content of the code again. */
  readonly readAgain = (): void => {
    const current = this.state.get();
    if (current.phase === 'lost') this.#ask(current.payload);
  };

  readonly #readAgainInTime = (): void => {
    const current = this.state.get();
    if (current.phase === 'lost' && !current.isOver) this.#ask(current.payload);
  };

  /** Called when the network is back: the server now decides about a code that this device has only judged. */
  readonly #askInstead = (): void => {
    const current = this.state.get();
    const isWaiting = current.phase === 'items' || current.phase === 'offline_question';
    if (isWaiting && current.isOffline) this.#ask(current.payload);
  };

  readonly redeem = (itemIds: readonly number[]): void => {
    const current = this.state.get();
    if (current.phase !== 'items' || itemIds.length === 0) return;
    if (current.isOffline) {
      if (isShiftOn.get()) void this.#alone.redeem(current.payload, itemIds, this.#scanId);
      else this.state.set({ ...current, phase: 'offline_question', itemIds });
      return;
    }
    const { id: venueId, name: venueName } = this.#venue;
    const { payload } = current;
    const redeeming = { payload, venueId, venueName, itemIds, confirmedAtMs: Date.now() };
    void this.#askFor(confirmIntent(this.#place, redeeming));
  };

  /** Staff agree to redeem without a network until it is back. */
  readonly redeemAlone = (): void => {
    const current = this.state.get();
    if (current.phase !== 'offline_question') return;
    isShiftOn.set(true);
    void this.#alone.redeem(current.payload, current.itemIds, this.#scanId);
  };

  /** Staff wait for the network. The code is requested again when it is back. */
  readonly wait = (): void => {
    const current = this.state.get();
    if (current.phase !== 'offline_question') return;
    const isOver = Date.now() >= this.#readUntilMs;
    this.state.set({ phase: 'lost', payload: current.payload, isOver });
  };

  /** Retries the redemption now instead of after the pause. */
  readonly askAgain = (): void => {
    const current = this.state.get();
    if (current.phase === 'redeeming' && !current.isAsking) void this.#askFor(current.intent);
  };

  /** Returns to the camera, whatever is shown. */
  readonly next = (): void => {
    clearTimeout(this.#timer);
    this.#reading.abort();
    // Set aside. Scanning the guest's code again shows the outcome.
    this.#place.write(undefined);
    this.state.set({ phase: 'ready' });
  };

  #ask(payload: string): void {
    clearTimeout(this.#timer);
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.state.set({ phase: 'reading' });
    // For any other code, this device could only say that it needs the network.
    if (canJudge() && payload.startsWith(TICKET_CODE_START)) {
      this.#timer = setTimeout(() => this.#look(payload), LOOK_ALONE_MS);
    }
    scanCode(payload, this.#venue.id, signal).then(
      (outcome) => {
        if (signal.aborted) return;
        clearTimeout(this.#timer);
        void this.#showScan(payload, outcome, signal);
      },
      // Aborted, because the camera is shown again or the screen was left.
      () => undefined,
    );
  }

  async #showScan(payload: string, outcome: Outcome<Scan>, signal: AbortSignal): Promise<void> {
    // The session has ended, and the sign-in screen says why.
    if (session.get().status !== 'signed_in') return;
    if (outcome.status === 'done') {
      isShiftOn.set(false);
      const { data } = outcome;
      if (data.kind === 'tier') return this.#showTier(data);
      const own = offlineStatus.get() === undefined ? undefined : await readOwnRedemptions();
      if (!signal.aborted) this.#showItems(payload, own ? withOwn(data, own) : data, false);
    } else if (outcome.status !== 'offline' && outcome.code !== undefined) {
      this.#refuse(outcome.code, outcome.status === 'refused' ? outcome.problem?.detail : '');
    } else if (outcome.status === 'refused') this.#refuse(undefined);
    else if (canJudge()) this.#look(payload);
    else this.#showLost(payload);
  }

  #showLost(payload: string): void {
    this.#note({ outcome: 'lost' });
    if (!this.#wasLost) playScanFeedback('refused');
    this.#wasLost = true;
    const isOver = Date.now() >= this.#readUntilMs;
    this.state.set({ phase: 'lost', payload, isOver });
    if (!isOver) this.#timer = setTimeout(this.#readAgainInTime, ASK_AGAIN_MS);
  }

  #showTier(scan: TierScan): void {
    this.#titles = scan.tier === null ? [] : [scan.tier.title];
    this.#note({ outcome: 'tier' });
    playScanFeedback('success');
    this.state.set({ phase: 'tier', scan });
  }

  #showItems(payload: string, scan: PurchaseScan, isOffline: boolean): void {
    this.#titles = scan.items.map(({ title }) => title).filter((title) => title !== '');
    const isRedeemable = scan.items.some((item) => item.state === 'redeemable');
    this.#note({ outcome: isRedeemable ? 'looked' : 'refused' });
    if (!isRedeemable) playScanFeedback('refused');
    this.state.set({ phase: 'items', payload, scan, isOffline });
  }

  /** Judges the code on this device. */
  #look(payload: string): void {
    clearTimeout(this.#timer);
    this.#reading.abort();
    void this.#alone.look(payload, (this.#reading = new AbortController()).signal);
  }

  #refuse(code: ErrorCode | undefined, notice = ''): void {
    this.#note({ outcome: 'refused', ...(code !== undefined && { code }) });
    playScanFeedback('refused');
    this.state.set({ phase: 'refused', code, notice });
  }

  async #askFor(intent: RedeemIntent): Promise<void> {
    clearTimeout(this.#timer);
    this.state.set({ phase: 'redeeming', intent, isAsking: true });
    // The server may redeem although no response arrives, so these items must not be redeemed without a network meanwhile.
    rememberUnsure(intent.content.itemIds, serverNowMs());
    const outcome = await redeemItems(intent);
    const current = this.state.get();
    // Set aside, or the screen or the session ended. The intent stays stored and is retried at the next start.
    if (!this.#isRunning || session.get().status !== 'signed_in') return;
    if (current.phase !== 'redeeming' || current.intent !== intent) return;
    settleIntent(this.#place, intent.key, outcome.status);
    if (outcome.status === 'done' || outcome.status === 'refused') {
      forgetUnsure(intent.content.itemIds);
    }
    switch (outcome.status) {
      case 'unknown':
      case 'offline':
        this.#note({ outcome: 'unknown' });
        this.state.set({
          phase: 'redeeming',
          intent: { ...intent, isRepeat: true },
          isAsking: false,
        });
        this.#timer = setTimeout(this.askAgain, ASK_AGAIN_MS);
        return;
      case 'refused':
        this.#refuse(outcome.code, outcome.problem?.detail);
        return;
      case 'done':
        this.#showResult(outcome.data);
    }
  }

  #showResult(redemption: Redemption): void {
    const isAnyRedeemed = redemption.redeemedCount > 0;
    this.#titles = redemption.results.map(({ title }) => title).filter((title) => title !== '');
    this.#note({
      outcome: isAnyRedeemed ? 'redeemed' : 'refused',
      redeemedCount: redemption.redeemedCount,
    });
    playScanFeedback(isAnyRedeemed ? 'success' : 'refused');
    this.state.set({ phase: 'result', redemption });
  }

  #note(scan: Pick<RecentScan, 'outcome'> & Partial<RecentScan>): void {
    rememberScan(this.#userUuid, {
      id: this.#scanId,
      atMs: Date.now(),
      venueName: this.#venueName,
      titles: this.#titles,
      redeemedCount: 0,
      ...scan,
    });
    refreshScans();
  }
}

/**
 * One scan after the other: read a code, look, redeem, result, next. Outside React, because what was asked for has an
 * outcome whatever is on the screen. Nothing is called redeemed before the server said so.
 */
import { isNetworkLost } from '@athos/app-core/network';
import type { ErrorCode } from '@athos/contract/errors';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { createValue, type Value } from '@athos/app-core/value';
import { redeemItems, type Redemption } from '../../api/redeem.ts';
import { scanCode, type PurchaseScan, type ScanOutcome, type TierScan } from '../../api/scan.ts';
import { refreshScans } from '../../api/scans.ts';
import { rememberScan, type RecentScan } from '../../state/recent-scans.ts';
import {
  dropIntent,
  keepIntent,
  keptIntent,
  type RedeemIntent,
} from '../../state/redeem-intent.ts';
import type { Venue } from '../../state/venue.ts';

export type DeskState =
  | { readonly phase: 'ready' }
  | { readonly phase: 'reading' }
  /** No answer to what the code holds. */
  | { readonly phase: 'lost'; readonly payload: string }
  | { readonly phase: 'refused'; readonly code: ErrorCode | undefined }
  | { readonly phase: 'items'; readonly payload: string; readonly scan: PurchaseScan }
  | { readonly phase: 'tier'; readonly scan: TierScan }
  /** `hasMissed`: an answer did not come, so the outcome is not known. */
  | {
      readonly phase: 'redeeming';
      readonly intent: RedeemIntent;
      readonly hasMissed: boolean;
      readonly isAsking: boolean;
    }
  | { readonly phase: 'result'; readonly redemption: Redemption };

/** A lost answer is asked for again by itself after this pause. The client has tried twice before. */
const ASK_AGAIN_MS = 4000;

export class Desk {
  readonly state: Value<DeskState> = createValue<DeskState>({ phase: 'ready' });
  readonly #userUuid: string;
  readonly #venue: Venue;
  /** Of the scan that is on the desk, in the list of the last ones. */
  #scanId = '';
  #venueName: string;
  #titles: readonly string[] = [];
  #reading = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;

  constructor(userUuid: string, venue: Venue) {
    this.#userUuid = userUuid;
    this.#venue = venue;
    this.#venueName = venue.name;
  }

  /** Begins; asks on for an outcome that a reload left open. Returns the function that ends it. */
  open(): () => void {
    this.#isOpen = true;
    const kept = keptIntent(this.#userUuid);
    if (kept !== undefined) {
      this.#scanId = kept.key;
      this.#venueName = kept.venueName;
      void this.#settle(kept, true);
    }
    const unsubscribe = isNetworkLost.subscribe(() => {
      if (!isNetworkLost.get()) this.askAgain();
    });
    return () => {
      this.#isOpen = false;
      unsubscribe();
      clearTimeout(this.#timer);
      this.#reading.abort();
    };
  }

  /** A code's text. Ignored unless the camera is what is shown. */
  readonly read = (payload: string): void => {
    if (this.state.get().phase !== 'ready') return;
    this.#scanId = newIdempotencyKey();
    this.#venueName = this.#venue.name;
    this.#titles = [];
    this.#ask(payload);
  };

  /** Asks once more what the code holds. */
  readonly readAgain = (): void => {
    const current = this.state.get();
    if (current.phase === 'lost') this.#ask(current.payload);
  };

  readonly redeem = (itemIds: readonly number[]): void => {
    const current = this.state.get();
    if (current.phase !== 'items' || itemIds.length === 0) return;
    const intent: RedeemIntent = {
      key: newIdempotencyKey(),
      payload: current.payload,
      venueId: this.#venue.id,
      venueName: this.#venue.name,
      itemIds,
      userUuid: this.#userUuid,
      confirmedAtMs: Date.now(),
    };
    keepIntent(intent);
    void this.#settle(intent, false);
  };

  /** Asks for the outcome now instead of in a moment. */
  readonly askAgain = (): void => {
    const current = this.state.get();
    if (current.phase === 'redeeming' && !current.isAsking) void this.#settle(current.intent, true);
  };

  /** Back to the camera, whatever is shown. */
  readonly next = (): void => {
    clearTimeout(this.#timer);
    this.#reading.abort();
    // Set aside: scanned anew, the guest's code tells what became of it.
    dropIntent();
    this.state.set({ phase: 'ready' });
  };

  #ask(payload: string): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.state.set({ phase: 'reading' });
    scanCode(payload, this.#venue.id, signal).then(
      (outcome) => {
        if (!signal.aborted) this.#showScan(payload, outcome);
      },
      // Given up: the camera is shown again, or the screen is gone.
      () => undefined,
    );
  }

  #showScan(payload: string, outcome: ScanOutcome): void {
    switch (outcome.kind) {
      case 'ended':
        return;
      case 'lost':
        this.#note({ outcome: 'lost' });
        playScanFeedback('refused');
        this.state.set({ phase: 'lost', payload });
        return;
      case 'refused':
        this.#refuse(outcome.code);
        return;
      case 'read':
        if (outcome.scan.kind === 'tier') this.#showTier(outcome.scan);
        else this.#showItems(payload, outcome.scan);
    }
  }

  #showTier(scan: TierScan): void {
    this.#titles = scan.tier === null ? [] : [scan.tier.title];
    this.#note({ outcome: 'tier' });
    playScanFeedback('success');
    this.state.set({ phase: 'tier', scan });
  }

  #showItems(payload: string, scan: PurchaseScan): void {
    this.#titles = scan.items.map(({ title }) => title).filter((title) => title !== '');
    const isRedeemable = scan.items.some((item) => item.state === 'redeemable');
    this.#note({ outcome: isRedeemable ? 'looked' : 'refused' });
    if (!isRedeemable) playScanFeedback('refused');
    this.state.set({ phase: 'items', payload, scan });
  }

  #refuse(code: ErrorCode | undefined): void {
    this.#note({ outcome: 'refused', ...(code !== undefined && { code }) });
    playScanFeedback('refused');
    this.state.set({ phase: 'refused', code });
  }

  async #settle(intent: RedeemIntent, hasMissed: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.state.set({ phase: 'redeeming', intent, hasMissed, isAsking: true });
    const outcome = await redeemItems(intent);
    const current = this.state.get();
    // Set aside meanwhile, or left with the screen: whoever asks next learns it.
    if (!this.#isOpen || current.phase !== 'redeeming' || current.intent !== intent) return;
    switch (outcome.kind) {
      case 'ended':
        return;
      case 'unknown':
        this.#note({ outcome: 'unknown' });
        this.state.set({ phase: 'redeeming', intent, hasMissed: true, isAsking: false });
        this.#timer = setTimeout(this.askAgain, ASK_AGAIN_MS);
        return;
      case 'refused':
        dropIntent();
        this.#refuse(outcome.code);
        return;
      case 'answered':
        dropIntent();
        this.#showResult(outcome.redemption);
    }
  }

  #showResult(redemption: Redemption): void {
    const isAnyRedeemed = redemption.redeemed_count > 0;
    this.#titles = redemption.results.map(({ title }) => title).filter((title) => title !== '');
    this.#note({
      outcome: isAnyRedeemed ? 'redeemed' : 'refused',
      redeemedCount: redemption.redeemed_count,
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

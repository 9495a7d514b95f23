/** The desk's work without the server: it judges a code, and stores a redemption before showing it. */
import type { Value } from '@athos/app-core/value';
import type { ErrorCode } from '@athos/contract/errors';
import type { OfflineRefusal } from '@athos/domain/judge-offline';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import type { PurchaseScan } from '../../api/codes.ts';
import { lookOffline, redeemOffline, type Post } from '../../api/offline.ts';
import { refreshOfflineStatus } from '../../api/offline-keeper.ts';
import type { RecentScan } from '../../state/recent-scans.ts';
import { session } from '../../state/session.ts';
import type { DeskState } from './desk-state.ts';
import { purchaseScanOf } from './offline-scan.ts';

/** The error codes under which the list of recent scans shows refusals by this device. */
const REFUSAL_CODES: Partial<Record<OfflineRefusal['reason'], ErrorCode>> = {
  unreadable: 'unreadable_code',
  not_genuine: 'invalid_signature',
  code_time: 'code_expired',
  ticket_ended: 'ticket_ended',
};

interface DeskParts {
  readonly state: Value<DeskState>;
  readonly post: Post;
  readonly note: (scan: Pick<RecentScan, 'outcome'> & Partial<RecentScan>) => void;
  readonly showItems: (payload: string, scan: PurchaseScan) => void;
  readonly showLost: (payload: string) => void;
}

export class OfflineDesk {
  readonly #desk: DeskParts;

  constructor(desk: DeskParts) {
    this.#desk = desk;
  }

  /** Judges a code on this device, and shows it unless `signal` has aborted. */
  async look(payload: string, signal: AbortSignal): Promise<void> {
    const { state, post, showItems, showLost } = this.#desk;
    state.set({ phase: 'reading' });
    // The browser may fail to read its storage. Then this device can only ask the server.
    const scan = await lookOffline(payload, post).catch(() => undefined);
    if (signal.aborted || session.get().status !== 'signed_in') return;
    if (scan === undefined) showLost(payload);
    else if (scan.look.kind === 'refused') this.#refuse(scan.look.refusal);
    else showItems(payload, purchaseScanOf(scan, scan.look.items));
  }

  async redeem(payload: string, itemIds: readonly number[], scanId: string): Promise<void> {
    const { state, post, note } = this.#desk;
    const noting = { phase: 'offline_noting' } as const;
    state.set(noting);
    const outcome = await redeemOffline(payload, itemIds, post, scanId).catch(
      () => ({ kind: 'refused', refusal: { reason: 'not_kept' } }) as const,
    );
    void refreshOfflineStatus(post);
    if (outcome.kind === 'redeemed') {
      const { items } = outcome;
      const titles = items.map(({ title }) => title);
      note({ outcome: 'redeemed', redeemedCount: items.length, offline: 'waiting', titles });
    }
    if (state.get() !== noting) return;
    if (outcome.kind === 'changed') await this.look(payload, new AbortController().signal);
    else if (outcome.kind === 'refused') this.#refuse(outcome.refusal);
    else {
      playScanFeedback('offline');
      state.set({ phase: 'offline_result', items: outcome.items });
    }
  }

  #refuse(refusal: OfflineRefusal): void {
    const code = REFUSAL_CODES[refusal.reason];
    this.#desk.note({ outcome: 'refused', ...(code !== undefined && { code }) });
    playScanFeedback('refused');
    this.#desk.state.set({ phase: 'offline_refused', refusal });
  }
}

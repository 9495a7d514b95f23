import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import {
  athHundredths,
  microAth,
  wholeHundredths,
  type AthHundredths,
  type MicroAth,
} from '@athos/domain/money';
import { userAccountId, type Ledger } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { brakeRefusal } from '../../../platform/settings/brakes.ts';
import { imageOf } from '../../../platform/storage/stored-picture.ts';
import { lockUsers } from '../../identity/index.ts';
import { pay, refusalError } from '../../transfers/index.ts';
import { TIP_WORDS, tipTransfer } from './books.ts';
import type { BuyDeps } from './buy.ts';
import { offerRefusal, saleFault, tierFault } from './cart-check.ts';
import { selectOffers, type OfferRow } from './offers.sql.ts';
import { insertTip, selectTip, type TipRow } from './purchase.sql.ts';

interface Tip {
  readonly userId: bigint;
  readonly key: string;
  readonly offerId: number;
  readonly amount: MicroAth;
  /** The giver's name and note, which are never logged. */
  readonly from: string;
  readonly note: string;
}

interface Tipped {
  readonly transferId: bigint;
  readonly balance: MicroAth;
}

async function balanceOf(ledger: Ledger, userId: bigint): Promise<MicroAth> {
  const accountId = userAccountId(userId, 'ATH');
  return microAth((await ledger.balances([accountId])).get(accountId) ?? 0n);
}

/** Reads and checks the offer of a tip. Guards in order: existence, ownership, state. */
async function tippedOffer({ ledger, clock }: BuyDeps, tx: Tx, tip: Tip): Promise<OfferRow> {
  const [offer] = await selectOffers(tx, [tip.offerId], dateOf(clock));
  if (offer === undefined) {
    const detail = 'There is no such offer: choose another.';
    throw offerRefusal(tip.offerId, { code: 'offer_unavailable', detail });
  }
  if (offer.kind !== OFFER_KINDS.Tip) {
    const detail = 'This offer takes no tips: put it into the cart.';
    throw offerRefusal(offer.id, { code: 'offer_unavailable', detail });
  }
  if (offer.beneficiary_user_id === tip.userId) {
    throw new AppError('recipient_is_sender', {
      detail: `${TIP_WORDS.nothing} The tips of this offer are paid to you.`,
    });
  }
  const fault =
    saleFault(offer, clock.nowMs()) ??
    (offer.tier_amount_min_micro_ath === null
      ? undefined
      : tierFault(offer, await balanceOf(ledger, tip.userId)));
  if (fault !== undefined) throw offerRefusal(offer.id, fault);
  return offer;
}

async function insertNewTip(
  deps: BuyDeps,
  tx: Tx,
  { tip, hundredths }: { tip: Tip; hundredths: AthHundredths },
): Promise<TipRow> {
  const offer = await tippedOffer(deps, tx, tip);
  return insertTip(tx, {
    user_id: tip.userId,
    key: tip.key,
    offer_id: offer.id,
    amount_ath_hundredths: BigInt(hundredths),
    tip_from: tip.from,
    note: tip.note,
    offer_title: offer.title,
    offer_note: offer.note,
    offer_img: imageOf(offer, offer.img),
    beneficiary_user_id: offer.beneficiary_user_id,
    created_at: dateOf(deps.clock),
  });
}

const isSameTip = (tip: Tip, hundredths: AthHundredths, first: TipRow): boolean =>
  first.offer_id === tip.offerId &&
  first.amount_ath_hundredths === BigInt(hundredths) &&
  first.tip_from === tip.from &&
  first.note === tip.note;

/**
 * Tips through an offer, once per key, to its beneficiary or to the programme, only in ATH (D-024). Guards in order: shape,
 * replay, brake, existence, ownership, state, money. Throws an AppError if refused.
 */
export async function sendTip(deps: BuyDeps, tip: Tip): Promise<Tipped> {
  const hundredths = wholeHundredths(tip.amount);
  if (hundredths === undefined) {
    throw new AppError('tip_not_whole', {
      detail: `${TIP_WORDS.nothing} Tip 0.01 ATH or a multiple.`,
    });
  }
  const stopped = await brakeRefusal(deps.programme, 'spending');
  return deps.db.transaction().execute(async (tx) => {
    await lockUsers(tx, [tip.userId]);
    const first = await selectTip(tx, tip.userId, tip.key);
    if (first !== undefined && !isSameTip(tip, hundredths, first))
      throw refusalError('key_reused', TIP_WORDS);
    if (first === undefined && stopped !== undefined) throw stopped;
    const row = first ?? (await insertNewTip(deps, tx, { tip, hundredths }));
    const { transfers } = await pay(
      tx,
      deps.ledger,
      [
        tipTransfer({
          userId: tip.userId,
          beneficiaryUserId: row.beneficiary_user_id,
          amount: athHundredths(hundredths),
          key: tip.key,
        }),
      ],
      TIP_WORDS,
    );
    const [posted] = transfers;
    invariant(posted !== undefined, 'each transfer has its posting');
    return { transferId: posted.transferId, balance: microAth(posted.debitAfterUnits) };
  });
}

/** The fields that scanned and redeemed items share. */
import type { AnswerOf } from '@athos/contract/api';
import { pictureAddresses, type PictureAddresses } from '@athos/contract/pictures';

type WireItem =
  | Extract<AnswerOf<'scannerScan'>, { kind: 'purchase' }>['items'][number]
  | AnswerOf<'scannerRedeem'>['results'][number];

export interface Item {
  /** Markdown; empty for an item that does not exist. */
  readonly title: string;
  readonly picture: PictureAddresses;
  /** ISO 8601. */
  readonly redeemedAt: string | null;
  readonly redeemedVenue: string | null;
}

export const readItem = ({ title, picture, img, redeemed_at, redeemed_venue }: WireItem): Item => ({
  title,
  picture: pictureAddresses(picture, img),
  redeemedAt: redeemed_at,
  redeemedVenue: redeemed_venue,
});

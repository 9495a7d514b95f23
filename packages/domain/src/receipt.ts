/**
 * The texts and hashes of receipts (decision 0060): the hashed content of a movement, of the seal over some thousand movements, and of the
 * head of a day. The server seals with them, and the holder of a receipt verifies it with them.
 */

/** The parts of a movement in order. Each is hashed with its own salt, so that it can be disclosed without the others. */
export const PART_NAMES = ['movement', 'payer', 'payer_books', 'payee', 'payee_books'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** A disclosed part, or the hash of an undisclosed one. All hashes, salts, keys and signatures are lower-case hexadecimal. */
export type ReceiptPart =
  | { readonly name: PartName; readonly salt: string; readonly text: string }
  | { readonly name: PartName; readonly hash: string };

/** One step up a tree: the sibling's hash, and its side. */
export interface PathStep {
  readonly side: 'left' | 'right';
  readonly hash: string;
}

interface Signed {
  /** The hash of the seal, or of the day, before this one. */
  readonly previous: string;
  readonly hash: string;
  readonly signature: string;
  /** The public Ed25519 key that signed. */
  readonly key: string;
}

export interface ReceiptSeal extends Signed {
  readonly number: number;
  readonly first_id: number;
  readonly last_id: number;
  readonly count: number;
  readonly root: string;
  /** The ledger's own chain after the last of these movements. */
  readonly chain_hash: string;
  readonly sealed_at: string;
}

export interface DayHead extends Signed {
  /** `2026-11-22`, UTC. */
  readonly day: string;
  /** The last is one less than the first if nothing was sealed on that day. */
  readonly first_seal: number;
  readonly last_seal: number;
  readonly root: string;
}

export interface Receipt {
  readonly version: 1;
  readonly parts: readonly ReceiptPart[];
  /** The hash over the five parts. */
  readonly leaf: string;
  /** The path from the movement to the root of its seal. */
  readonly path: readonly PathStep[];
  readonly seal: ReceiptSeal;
  /** The path from the seal to the root of its day; null before the day has ended. */
  readonly day_path: readonly PathStep[] | null;
  readonly day: DayHead | null;
}

/** The first byte of the hashed content of a leaf and of a node, as in RFC 6962, so that neither can pass for the other. */
export const LEAF_PREFIX = 0x00;
export const NODE_PREFIX = 0x01;

export const sealText = (seal: Omit<ReceiptSeal, keyof Signed>): string =>
  [
    'seal',
    seal.number,
    seal.first_id,
    seal.last_id,
    seal.count,
    seal.root,
    seal.chain_hash,
    seal.sealed_at,
  ].join('|');

export const dayText = ({
  day,
  first_seal,
  last_seal,
  root,
}: Omit<DayHead, keyof Signed>): string => ['day', day, first_seal, last_seal, root].join('|');

/** The position of the movement in its seal, from 1. It follows from the path: a path with other sides does not lead to the root. */
export function positionOf({
  path,
  seal,
}: {
  readonly path: readonly Pick<PathStep, 'side'>[];
  readonly seal: Pick<ReceiptSeal, 'count'>;
}): number {
  let [before, count] = [0, seal.count];
  // From the root down, where each tree is split at the largest power of two below its size (RFC 6962).
  for (const { side } of path.toReversed()) {
    let leftCount = 1;
    while (leftCount * 2 < count) leftCount *= 2;
    if (side === 'left') before += leftCount;
    count = side === 'left' ? count - leftCount : leftCount;
  }
  return before + 1;
}

/** The signed text. Its first line distinguishes it from other texts that the same keys sign. */
export const signedText = (kind: 'seal' | 'day', hash: string): string =>
  `journal ${kind}\n${hash}`;

/** The content of the part `movement`. */
export interface ReceiptMovement {
  readonly id: string;
  readonly asset: string;
  readonly amountUnits: string;
  readonly kind: number;
  readonly atMs: number;
}

const MOVEMENT_TEXT = /^1\|(\d{1,19})\|([A-Z0-9]{1,8})\|(\d{1,19})\|(\d{1,5})\|(\d{1,17})$/;
const MICROSECONDS = 1_000;

/** `undefined` if the receipt does not disclose the part, or if it has another format. */
export function movementOf({ parts }: Pick<Receipt, 'parts'>): ReceiptMovement | undefined {
  const [part] = parts;
  if (part === undefined || !('text' in part)) return undefined;
  const match = MOVEMENT_TEXT.exec(part.text);
  if (match === null) return undefined;
  const [, id = '', asset = '', amountUnits = '', kind = '', at = ''] = match;
  const atMs = Math.floor(parseInt(at, 10) / MICROSECONDS);
  return { id, asset, amountUnits, kind: parseInt(kind, 10), atMs };
}

/** Crockford's base 32, without I, L, O and U, and its check symbols. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U';
const DIGIT_COUNT = 32;

/** The number of a receipt, such as `R-3G5-M`: the id of its movement and a check symbol, for reading it out. */
export function receiptNumber(id: number): string {
  let text = '';
  for (let rest = id; rest > 0; rest = Math.floor(rest / DIGIT_COUNT)) {
    text = SYMBOLS.charAt(rest % DIGIT_COUNT) + text;
  }
  return `R-${text}-${SYMBOLS.charAt(id % SYMBOLS.length)}`;
}

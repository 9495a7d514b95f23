/** Verifies a receipt step by step, from its own content and published data. It asks no server for a verdict. */
import {
  dayText,
  LEAF_PREFIX,
  movementOf,
  NODE_PREFIX,
  PART_NAMES,
  sealText,
  signedText,
  type PathStep,
  type Receipt,
  type ReceiptPart,
} from './receipt.ts';

/** In the order of verification. */
export const RECEIPT_STEPS = [
  'parts',
  'seal',
  'seal_signature',
  'path',
  'day',
  'day_signature',
  'place_in_day',
  'published',
] as const;
export type ReceiptStep = (typeof RECEIPT_STEPS)[number];

/** `later`: the day has not ended yet. `unable`: this browser cannot verify signatures of this kind. */
export type ReceiptVerdict = 'right' | 'wrong' | 'later' | 'unable';

export interface CheckedStep {
  readonly step: ReceiptStep;
  readonly verdict: ReceiptVerdict;
}

type Bytes = Uint8Array<ArrayBuffer>;

export interface ReceiptCrypto {
  readonly sha256: (bytes: Bytes) => Promise<Bytes>;
  /** Verifies an Ed25519 signature; `undefined` if this environment does not support it. */
  readonly verify: (key: Bytes, text: Bytes, signature: Bytes) => Promise<boolean | undefined>;
}

export interface Published {
  /** The public keys that have signed seals and days. */
  readonly keys: readonly string[];
  /** The published head of the receipt's day, or that of an earlier copy; `undefined` if there is none yet. */
  readonly head: string | undefined;
}

/** The movement that the receipt must be about, as its holder knows it. */
export interface ExpectedMovement {
  readonly id: string;
  readonly asset: string;
  readonly amountUnits: string;
}

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const SIGNATURE_BYTES = 64;
/** Higher than the number of levels in a tree of any journal. */
const PATH_LENGTH_MAX = 64;

/** Throws unless the text is exactly that many bytes in lower-case hexadecimal, so that a value has one spelling. */
function bytesOf(text: string, length: number): Bytes {
  if (text.length !== length * 2 || !/^[0-9a-f]*$/.test(text)) throw new RangeError('not hex');
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const hexOf = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** All texts of receipts are ASCII. Throws for other texts. */
function asciiOf(text: string): Bytes {
  if (!/^[\n -~]*$/.test(text)) throw new RangeError('not ASCII');
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const joined = (...parts: readonly Uint8Array[]): Bytes =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

async function hashOfPart(part: ReceiptPart, { sha256 }: ReceiptCrypto): Promise<Bytes> {
  if ('hash' in part) return bytesOf(part.hash, HASH_BYTES);
  return sha256(joined(bytesOf(part.salt, SALT_BYTES), asciiOf(part.text)));
}

async function arePartsRight(
  receipt: Receipt,
  expected: ExpectedMovement,
  crypto: ReceiptCrypto,
): Promise<boolean> {
  const { parts, leaf } = receipt;
  const movement = movementOf(receipt);
  const isExpected =
    movement?.id === expected.id &&
    movement.asset === expected.asset &&
    movement.amountUnits === expected.amountUnits;
  if (!isExpected || parts.map(({ name }) => name).join() !== PART_NAMES.join()) return false;
  const hashes = await Promise.all(parts.map((part) => hashOfPart(part, crypto)));
  return hexOf(await crypto.sha256(joined(new Uint8Array([LEAF_PREFIX]), ...hashes))) === leaf;
}

async function rootOf(
  leaf: string,
  path: readonly PathStep[],
  { sha256 }: ReceiptCrypto,
): Promise<string> {
  if (path.length > PATH_LENGTH_MAX) throw new RangeError('a path this long leads nowhere');
  let hash = bytesOf(leaf, HASH_BYTES);
  for (const { side, hash: beside } of path) {
    const other = bytesOf(beside, HASH_BYTES);
    const [left, right] = side === 'left' ? [other, hash] : [hash, other];
    hash = await sha256(joined(new Uint8Array([NODE_PREFIX]), left, right));
  }
  return hexOf(hash);
}

const chained = async (
  previous: string,
  text: string,
  { sha256 }: ReceiptCrypto,
): Promise<string> => hexOf(await sha256(joined(bytesOf(previous, HASH_BYTES), asciiOf(text))));

async function isSigned(
  kind: 'seal' | 'day',
  {
    hash,
    signature,
    key,
  }: { readonly hash: string; readonly signature: string; readonly key: string },
  published: Published,
  crypto: ReceiptCrypto,
): Promise<boolean | undefined> {
  if (!published.keys.includes(key)) return false;
  const text = asciiOf(signedText(kind, hash));
  return crypto.verify(bytesOf(key, HASH_BYTES), text, bytesOf(signature, SIGNATURE_BYTES));
}

type Check = () => Promise<boolean | undefined>;

/** Runs the steps in order and stops after a wrong one, since the others would prove nothing. */
export async function checkReceipt(
  receipt: Receipt,
  {
    expected,
    published,
    crypto,
  }: {
    readonly expected: ExpectedMovement;
    readonly published: Published;
    readonly crypto: ReceiptCrypto;
  },
): Promise<readonly CheckedStep[]> {
  const { seal, day, day_path: dayPath, leaf, path } = receipt;
  const ofDay = (check: (head: NonNullable<typeof day>) => ReturnType<Check>): Check | undefined =>
    day === null ? undefined : () => check(day);
  const checks: Readonly<Record<ReceiptStep, Check | undefined>> = {
    parts: () => arePartsRight(receipt, expected, crypto),
    seal: async () => (await chained(seal.previous, sealText(seal), crypto)) === seal.hash,
    seal_signature: () => isSigned('seal', seal, published, crypto),
    path: async () => (await rootOf(leaf, path, crypto)) === seal.root,
    day: ofDay(async (head) => (await chained(head.previous, dayText(head), crypto)) === head.hash),
    day_signature: ofDay((head) => isSigned('day', head, published, crypto)),
    place_in_day: ofDay(
      async ({ root }) => (await rootOf(seal.hash, dayPath ?? [], crypto)) === root,
    ),
    published: ofDay(({ hash }) => Promise.resolve(published.head === hash)),
  };
  const steps: CheckedStep[] = [];
  for (const step of RECEIPT_STEPS) {
    const verdict = await verdictOf(checks[step]);
    steps.push({ step, verdict });
    if (verdict === 'wrong') break;
  }
  return steps;
}

async function verdictOf(check: Check | undefined): Promise<ReceiptVerdict> {
  if (check === undefined) return 'later';
  try {
    const isRight = await check();
    if (isRight === undefined) return 'unable';
    return isRight ? 'right' : 'wrong';
  } catch (error) {
    // A value with the wrong spelling.
    if (error instanceof RangeError) return 'wrong';
    throw error;
  }
}

import { z } from 'zod';
import { parseRate, type Rate } from '@athos/domain/money';
import { isProduction, topic, wholeNumber } from './topic.ts';

export type RateSource =
  | { readonly kind: 'fixed'; readonly usdPerAth: Rate }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'walk' }
  /** Staff publish it by hand. */
  | { readonly kind: 'console' };

const rateSource = z.string().transform((text, context): RateSource => {
  if (text === 'walk') return { kind: 'walk' };
  if (text === 'console') return { kind: 'console' };
  if (/^https?:\/\//.test(text)) return { kind: 'url', url: text };
  const usdPerAth = parseRate(text);
  if (usdPerAth !== undefined) return { kind: 'fixed', usdPerAth };
  context.addIssue(
    'must be a number of US dollars per ATH, the address of a JSON document, "console", or "walk"',
  );
  return z.NEVER;
});

function productionFaults(source: string): string[] {
  if (source === 'walk') return ['RATE_SOURCE: the walk is for demonstration'];
  // Plain http is refused: anybody who can change the answer in transit would set the price.
  if (source.startsWith('http:')) return ['RATE_SOURCE: must be an https address'];
  return [];
}

export const rate = topic(
  {
    rateSource: ['RATE_SOURCE', rateSource],
    /** Buying is unavailable if the source has not confirmed the rate for longer than this. */
    rateMaxAgeSeconds: ['RATE_MAX_AGE_SECONDS', wholeNumber(10, 86_400).default(300)],
  },
  {
    faults: (given) => (isProduction(given) ? productionFaults(given['RATE_SOURCE'] ?? '') : []),
    build: ({ rateSource: source, rateMaxAgeSeconds }) => ({
      rateSource: source,
      rateMaxAgeMs: rateMaxAgeSeconds * 1000,
    }),
  },
);

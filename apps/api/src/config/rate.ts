import { z } from 'zod';
import { parseRate, type Rate } from '@athos/domain/money';
import { isProduction, topic, wholeNumber } from './topic.ts';

export type RateSource =
  | { readonly kind: 'fixed'; readonly usdPerAth: Rate }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'walk' };

const rateSource = z.string().transform((text, context): RateSource => {
  if (text === 'walk') return { kind: 'walk' };
  if (/^https?:\/\//.test(text)) return { kind: 'url', url: text };
  const usdPerAth = parseRate(text);
  if (usdPerAth !== undefined) return { kind: 'fixed', usdPerAth };
  context.addIssue(
    'must be a number of US dollars per ATH, the address of a JSON document, or "walk"',
  );
  return z.NEVER;
});

export const rate = topic(
  {
    rateSource: ['RATE_SOURCE', rateSource],
    /** Buying is unavailable if the source has not confirmed the rate for longer than this. */
    rateMaxAgeSeconds: ['RATE_MAX_AGE_SECONDS', wholeNumber(10, 86_400).default(300)],
  },
  {
    faults: (given) =>
      isProduction(given) && given['RATE_SOURCE'] === 'walk'
        ? ['RATE_SOURCE: the walk is for demonstration']
        : [],
    build: ({ rateSource: source, rateMaxAgeSeconds }) => ({
      rateSource: source,
      rateMaxAgeMs: rateMaxAgeSeconds * 1000,
    }),
  },
);

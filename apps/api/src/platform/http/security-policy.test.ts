import { expect, it } from 'vitest';
import { contentSecurityPolicy } from './security-policy.ts';

const STRIPE = {
  apiUrl: 'https://api.stripe.com',
  scriptUrl: 'https://js.stripe.com/endive/stripe.js',
};

it('allows page views to the configured host and no other', () => {
  const connectSrc = (analyticsUrl: string | undefined) =>
    contentSecurityPolicy(STRIPE, analyticsUrl).directives.connectSrc;
  expect(connectSrc(undefined)).toEqual(["'self'", 'https://api.stripe.com']);
  expect(connectSrc('https://plausible.io/api/event')).toEqual([
    "'self'",
    'https://api.stripe.com',
    'https://plausible.io',
  ]);
});

it('allows no script from the service that counts page views', () => {
  const { scriptSrc } = contentSecurityPolicy(STRIPE, 'https://plausible.io/api/event').directives;
  expect(scriptSrc.join(' ')).not.toContain('plausible');
});

it('allows inline styles and scripts of the built pages alone', () => {
  const inline = { scripts: ["'sha256-a'"], styles: ["'sha256-b'"] };
  const { scriptSrc, styleSrc } = contentSecurityPolicy(STRIPE, undefined, inline).directives;
  expect(scriptSrc).toContain("'sha256-a'");
  expect(styleSrc).toEqual(["'self'", "'sha256-b'"]);
  expect([...scriptSrc, ...styleSrc]).not.toContain("'unsafe-inline'");
});

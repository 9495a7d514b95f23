/**
 * Creates `www/`, which both apps contain: the wallet's build with the settings that on the web the API writes into the page.
 * Run `npm run build` first. The settings come from the environment; README.md lists them.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '@athos/brand/brand';
import { isForApp, shellPage, ShellSettingError, type ShellSettings } from './shell-page.ts';

const { env } = process;
const distDir = join(import.meta.dirname, '../apps/wallet/dist');
const wwwDir = join(import.meta.dirname, 'www');

const settings: ShellSettings = {
  apiUrl: env['ATHOS_API_URL'] ?? brand.app.walletUrl,
  walletUrl: env['ATHOS_WALLET_URL'] ?? brand.app.walletUrl,
  stripePublishableKey: env['STRIPE_PUBLISHABLE_KEY'] ?? null,
  stripeScriptUrl: env['STRIPE_SCRIPT_URL'] ?? 'https://js.stripe.com/endive/stripe.js',
  analyticsUrl: null,
  appleMerchantId: env['APPLE_MERCHANT_ID'] ?? null,
};

try {
  if (!existsSync(join(distDir, 'index.html'))) {
    throw new ShellSettingError('The wallet is not built: run npm run build first.');
  }
  const page = shellPage(readFileSync(join(distDir, 'index.html'), 'utf8'), settings);
  rmSync(wwwDir, { recursive: true, force: true });
  cpSync(distDir, wwwDir, { recursive: true, filter: isForApp });
  writeFileSync(join(wwwDir, 'index.html'), page);
  console.log(`www/ holds the wallet, which calls ${settings.apiUrl}.`);
} catch (error) {
  if (!(error instanceof ShellSettingError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

import { renameSync, writeFileSync } from 'node:fs';
import { brand } from '@athos/brand/brand';
import type { DemoSignIn } from '../../apps/api/src/seed/demo-users.ts';

/** Of `DATA_DIR/addresses.json`, for tools and tests. Parts that are not ours are left out. */
export interface Addresses {
  readonly wallet: string;
  readonly scanner: string;
  readonly mailbox?: string;
  readonly sandbox?: string;
  readonly publishableKey?: string;
  readonly secretKey?: string;
  readonly demoSignIns: readonly DemoSignIn[];
  /** Of the demo's campaign; the first is for many people, each other one for one. */
  readonly rewardCodes: readonly string[];
}

/** Whole or not at all: tools wait for this file. */
export function writeAddresses(file: string, addresses: Addresses): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function describeSystem(addresses: Addresses, dataDir: string): string {
  const rows = [
    ['Wallet', addresses.wallet],
    ['Scanner', addresses.scanner],
    ['API', `${addresses.wallet}/api/docs`],
    ['Mailbox', addresses.mailbox],
    ['Card sandbox', addresses.sandbox],
    ['Data', dataDir],
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name ?? '', value]]));
  const signIns = addresses.demoSignIns.map(({ email, password, role }) => [email, password, role]);
  const rewards = addresses.rewardCodes.map((code) => [
    `${addresses.wallet}/app/redeem?code=${code}`,
  ]);
  return [
    '',
    `  ${brand.name} Wallet is running.`,
    '',
    ...alignColumns(rows),
    ...(signIns.length > 0 ? ['', '  Demo sign-ins', ...alignColumns(signIns)] : []),
    ...(rewards.length > 0 ? ['', '  Demo reward codes', ...alignColumns(rewards)] : []),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('   ')}`.trimEnd(),
  );
}

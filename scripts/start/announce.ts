import { renameSync, writeFileSync } from 'node:fs';
import { brand } from '@athos/brand/brand';
import type { DemoStaff } from '../../apps/api/src/seed/demo-staff.ts';
import type { DemoSignIn } from '../../apps/api/src/seed/demo-users.ts';

/** The contents of `DATA_DIR/addresses.json`, for tools and tests. Parts that are not embedded are omitted. */
export interface Addresses {
  readonly wallet: string;
  readonly scanner: string;
  /** Uses a host name, because passkeys do not work on an IP address. */
  readonly console?: string;
  readonly mailbox?: string;
  readonly sandbox?: string;
  readonly publishableKey?: string;
  readonly secretKey?: string;
  readonly demoSignIns: readonly DemoSignIn[];
  readonly demoStaff: readonly DemoStaff[];
  /** Codes of the demo's campaign: the first for many people, each of the others for one person. */
  readonly rewardCodes: readonly string[];
  readonly isRehearsal?: true;
}

/** Writes the file atomically, because tools wait for it. */
export function writeAddresses(file: string, addresses: Addresses): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(addresses, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function describeSystem(addresses: Addresses, dataDir: string): string {
  const rows = [
    ['Wallet', addresses.wallet],
    ['Scanner', addresses.scanner],
    ['Console', addresses.console],
    ['API', `${addresses.wallet}/api/docs`],
    ['Mailbox', addresses.mailbox],
    ['Card sandbox', addresses.sandbox],
    ['Data', dataDir],
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name ?? '', value]]));
  const signIns = addresses.demoSignIns.map(({ email, password, role }) => [email, password, role]);
  const staff = addresses.demoStaff.map(({ email, password, role }) => [email, password, role]);
  const rewards = addresses.rewardCodes.map((code) => [
    `${addresses.wallet}/app/redeem?code=${code}`,
  ]);
  return [
    '',
    `  ${brand.name} Wallet is running${addresses.isRehearsal === true ? ' as a rehearsal: no real money, no real mail' : ''}.`,
    '',
    ...alignColumns(rows),
    ...(signIns.length > 0 ? ['', '  Demo sign-ins', ...alignColumns(signIns)] : []),
    ...(staff.length > 0 ? ['', '  Demo staff of the console', ...alignColumns(staff)] : []),
    ...(staff.length > 0 && addresses.mailbox !== undefined
      ? [`  Their codes: ${addresses.mailbox}/codes`]
      : []),
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

import { brand } from '@athos/brand/brand';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  readonly role: 'user' | 'scanner' | 'operator';
}

/** The brand's own domain, so that no mail goes to a stranger. */
const domain = brand.supportAddress.split('@').at(-1) ?? 'localhost';

/** These passwords are public: the accounts exist only if DEMO is on, which a production start refuses. */
export const demoSignIns: readonly DemoSignIn[] = [
  { email: `ada@${domain}`, password: 'Ada-likes-1-drink', role: 'user' },
  { email: `ben@${domain}`, password: 'Ben-likes-2-drinks', role: 'user' },
  { email: `staff@${domain}`, password: 'Staff-scans-3-codes', role: 'scanner' },
];

/** The demo's staff: one for each built-in role. */
import { brand } from '@athos/brand/brand';
import type { BuiltInRole } from '@athos/contract/console/permissions';

export interface DemoStaff {
  readonly email: string;
  readonly name: string;
  readonly organisation: 'provider' | 'brand';
  readonly role: BuiltInRole;
  readonly password: string;
  /** The secret of the authenticator app, whose codes the mailbox shows. */
  readonly totpSecret: string;
}

const domain = brand.supportAddress.split('@').at(-1) ?? 'localhost';

/** Passwords and secrets are public. The accounts exist only if DEMO is on, and a production program knows none of them. */
export const demoStaff: readonly DemoStaff[] = [
  {
    email: `owner@${domain}`,
    name: 'Olga Owner',
    organisation: 'provider',
    role: 'provider_owner',
    password: 'Owner-opens-1-door',
    totpSecret: 'OAQ3IMBHRVFWNLRANPKEVUX7WTYIDUJ3',
  },
  {
    email: `finance@${domain}`,
    name: 'Farid Finance',
    organisation: 'provider',
    role: 'finance',
    password: 'Finance-books-2-fees',
    totpSecret: 'GYC634KIC5N4PM7MKKBIXVAHZ2CVLAIQ',
  },
  {
    email: `support@${domain}`,
    name: 'Sara Support',
    organisation: 'provider',
    role: 'support',
    password: 'Support-answers-3-calls',
    totpSecret: '25DW2BVTAUQLVEI52P7ZS5R4VVQIH7YY',
  },
  {
    email: `manager@${domain}`,
    name: 'Maya Manager',
    organisation: 'brand',
    role: 'brand_manager',
    password: 'Manager-plans-4-nights',
    totpSecret: 'GOGZMOYIEEVM7VGSWDBJGUD5RIEPGERD',
  },
  {
    email: `editor@${domain}`,
    name: 'Emil Editor',
    organisation: 'brand',
    role: 'catalogue_editor',
    password: 'Editor-writes-5-offers',
    totpSecret: 'ENIWFHEJWCGF73ZYEE4V6BO5INDHBFQ7',
  },
  {
    email: `lead@${domain}`,
    name: 'Lena Lead',
    organisation: 'brand',
    role: 'scanner_lead',
    password: 'Lead-watches-6-gates',
    totpSecret: 'YPQGAFDQHQAXIIVSINC5R5P7C5POYQ4D',
  },
  {
    email: `auditor@${domain}`,
    name: 'Aziz Auditor',
    organisation: 'provider',
    role: 'auditor',
    password: 'Auditor-reads-7-books',
    totpSecret: 'TMSJKZKJLXUE4KQH2VK3FNIKEZ2FIWPR',
  },
];

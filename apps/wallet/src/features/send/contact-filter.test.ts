import { describe, expect, it } from 'vitest';
import { filterContacts } from './contact-filter.ts';

const BO = { alias: 'Bo Diddley', address: '0192bbbb-0000-7000-8000-00000000abcd' };
const CY = { alias: 'Cy', address: '0192cccc-0000-7000-8000-00000000bo00' };
const ALL = [BO, CY];

describe('filterContacts', () => {
  it.each([
    ['all without a text', '', ALL],
    ['by a part of the alias', 'did', [BO]],
    ['by the alias whatever its case', 'DIDDLEY', [BO]],
    ['by a part of the address', '0192cccc', [CY]],
    ['by the address whatever its case', 'ABCD', [BO]],
    ['by alias or address', 'bo', ALL],
    ['with blanks around', '  cy ', [CY]],
    ['nobody', 'zed', []],
    ['no pattern, only text', '.*', []],
  ])('[S5-041] finds %s', (_name, text, found) => {
    expect(filterContacts(ALL, text)).toEqual(found);
  });
});

import { describe, expect, it } from 'vitest';
import {
  encodeTicket,
  parseTicket,
  parseTicketCode,
  shownItemIds,
  showingToSign,
  ticketCodeText,
  ticketItemIds,
  ticketToSign,
  type TicketContent,
  type TicketGroup,
} from './ticket-code.ts';

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const filled = (length: number, value: number) => new Uint8Array(length).fill(value);
const content: TicketContent = {
  keyByte: 0xa7,
  number: 1_099_511_627_777,
  holder: '0192f3a1',
  validFromS: 1_790_000_000,
  validHours: 48,
  phoneKey: Uint8Array.from([3, ...filled(32, 0x11)]),
  groups: [
    { offerId: 12, firstItemId: 1_000, itemCount: 4 },
    { offerId: 300, firstItemId: 1_010, itemCount: 6 },
  ],
};
const ticket = Uint8Array.from([...encodeTicket(content), ...filled(64, 0x22)]);
const showing = { timeS: 1_790_000_060, selection: [0, 3, 9] };
const text = ticketCodeText(ticket, showing, 10, filled(64, 0x33));

/** The size in modules of the smallest version whose alphanumeric capacity at level M holds the text (ISO/IEC 18004, table 7). */
function modulesAtLevelM(length: number): number {
  const capacities = [20, 38, 61, 90, 122, 154, 178, 221, 262, 311, 366, 419, 483];
  return 21 + 4 * capacities.findIndex((capacity) => capacity >= length);
}

/** A code with seven-digit ids, as in a large programme. */
function codeOf(groups: readonly TicketGroup[]): string {
  const body = encodeTicket({ ...content, groups });
  const itemCount = ticketItemIds({ groups }).length;
  const selection = Array.from({ length: itemCount }, (_, index) => index);
  const whole = Uint8Array.from([...body, ...filled(64, 0xff)]);
  return ticketCodeText(whole, { timeS: showing.timeS, selection }, itemCount, filled(64, 0xff));
}
const groupsOf = (lineCount: number, itemCount: number): TicketGroup[] =>
  Array.from({ length: lineCount }, (_, index) => ({
    offerId: 1_234_567 + index,
    firstItemId: 7_654_321 + index * itemCount,
    itemCount,
  }));

describe('ticket code', () => {
  it('has these bytes', () => {
    expect(hex(encodeTicket(content))).toBe(
      '01a7' +
        '010000000001' +
        '0192f3a1' +
        '6ab13b80' +
        '30' +
        `03${'11'.repeat(32)}` +
        '02' +
        '0ce80704' +
        'ac020706',
    );
    expect(hex(ticketToSign(encodeTicket(content)))).toMatch(/^7469636b65742d76310a01a7/);
    expect(hex(showingToSign(filled(32, 0x44), showing, 10))).toBe(
      '73686f772d76310a' + '44'.repeat(32) + '6ab13bbc' + '9040',
    );
  });

  it('is read as it was written', () => {
    expect(parseTicket(ticket)).toEqual({ content, length: ticket.length });
    const code = parseTicketCode(text);
    expect(code).toEqual({ content, ticket, ...showing, showingSignature: filled(64, 0x33) });
    expect(code && shownItemIds(code)).toEqual([1_000, 1_003, 1_015]);
  });

  it('[W-012] is read in exactly one spelling', () => {
    const body = [...encodeTicket(content)];
    const spelled = (change: (bytes: number[]) => void) => {
      const bytes = [...body];
      change(bytes);
      return ticketCodeText(
        Uint8Array.from([...bytes, ...filled(64, 0x22)]),
        showing,
        10,
        filled(64, 0x33),
      );
    };
    expect(parseTicketCode(spelled(() => undefined))).toBeDefined();
    const others = {
      'a longer varint': spelled((bytes) => bytes.splice(51, 1, 0x8c, 0x00)),
      'an endless varint': spelled((bytes) => bytes.splice(51, 1, ...filled(12, 0xff))),
      'no group': spelled((bytes) => (bytes[50] = 0)),
      'another kind': spelled((bytes) => (bytes[0] = 2)),
      'an uncompressed key': spelled((bytes) => (bytes[17] = 4)),
      'no hour': spelled((bytes) => (bytes[16] = 0)),
      'a group without items': spelled((bytes) => (bytes[54] = 0)),
      'items that do not rise': spelled((bytes) => (bytes[57] = 0)),
      'two groups that could be one': spelled((bytes) => bytes.splice(55, 3, 12, 1, 6)),
      'a byte more': `${text}00`,
      'a byte less': text.slice(0, -2),
      'small letters': text.toLowerCase(),
      'another start': text.replace('T1:', 'T2:'),
      'nothing behind the start': 'T1:',
    };
    for (const [what, other] of Object.entries(others)) {
      expect(parseTicketCode(other), what).toBeUndefined();
    }
  });

  it('[W-012] is not read with a bit that stands for no item, and not with none chosen', () => {
    const wide = ticketCodeText(ticket, { timeS: 1, selection: [15] }, 16, filled(64, 0x33));
    expect(parseTicketCode(wide)).toBeUndefined();
    const none = ticketCodeText(ticket, { timeS: 1, selection: [] }, 10, filled(64, 0x33));
    expect(parseTicketCode(none)).toBeUndefined();
  });

  it('[W-012] reads no other text as the same code: each of its characters counts', () => {
    for (let at = 3; at < text.length; at++) {
      for (const character of '0A :') {
        if (text[at] === character) continue;
        const other = parseTicketCode(text.slice(0, at) + character + text.slice(at + 1));
        expect(other).not.toEqual(parseTicketCode(text));
      }
    }
  });

  it('cannot say what it does not hold', () => {
    expect(() => encodeTicket({ ...content, groups: [] })).toThrow('too many groups, or none');
    expect(() => encodeTicket({ ...content, groups: groupsOf(13, 1) })).toThrow('too many groups');
    expect(() => encodeTicket({ ...content, groups: groupsOf(2, 200) })).toThrow('too many items');
    expect(() => encodeTicket({ ...content, validHours: 169 })).toThrow('hours');
    expect(() => showingToSign(filled(32, 0), { timeS: 1, selection: [10] }, 10)).toThrow(
      'no item',
    );
  });

  it('[W-013] has at most 57 modules with 10 items in 3 lines', () => {
    const groups = [
      ...groupsOf(2, 3),
      { offerId: 1_300_000, firstItemId: 7_700_000, itemCount: 4 },
    ];
    expect(modulesAtLevelM(codeOf(groups).length)).toBeLessThanOrEqual(57);
  });

  it('[W-014] has at most 61 modules with 40 items in 5 lines', () => {
    expect(modulesAtLevelM(codeOf(groupsOf(5, 8)).length)).toBeLessThanOrEqual(61);
  });
});

import { describe, expect, it } from 'vitest';
import { cleanName, initialOf, isReserved, nameFault } from './display-name.ts';
import { parseHandle, skeletonOf } from './handle.ts';
import { payCodeOfText } from './pay-code.ts';

const RESERVED = ['Athos', 'Meridian Pay', 'support', 'official'];
const faultOf = (text: string) => nameFault(cleanName(text), RESERVED);

describe('a display name', () => {
  it.each(['Ada', 'Jo', 'Ada Lovelace', 'José Ñandú', '汪小明', 'Ada 🥂', 'x'.repeat(40), '🥂a'])(
    'may be %s',
    (name) => expect(faultOf(name)).toBeUndefined(),
  );

  it.each([
    ['A', 'length'],
    ['x'.repeat(41), 'length'],
    ['   ', 'length'],
    ['', 'length'],
    ['Ada\u202Eevil', 'signs'],
    ['Ada\u0000', 'signs'],
    ['Ada\nBen', 'signs'],
    ['Ada\u200B', 'signs'],
    ['\u2066Ada', 'signs'],
    ['A\u0301\u0301\u0301\u0301\u0301da', 'signs'],
    ['--', 'signs'],
    ['🥂🥂', 'signs'],
  ])('[W-078] %j is refused because of its %s', (name, fault) => {
    expect(faultOf(name)).toBe(fault);
  });

  it.each([
    'Athos Support',
    'athos',
    'A t h o s',
    'Аthоs',
    'MERIDIAN-PAY',
    'Meridian  Pay Inc',
    'supp0rt',
    'Suррοrt',
    'S.u.p.p.o.r.t',
    'Súpport',
    'ｓｕｐｐｏｒｔ',
    'Offlclal',
  ])('[W-078] %s is refused as a word of brand, provider or support', (name) => {
    expect(faultOf(name)).toBe('reserved');
  });

  it('counts blanks once', () => expect(cleanName('  Ada   L ')).toBe('Ada L'));
});

it.each([
  ['ada', 'A'],
  [' José', 'J'],
  ['e\u0301mile', 'E\u0301'],
  ['ßa', 'S'],
  ['👩‍🚀 Ada', '👩‍🚀'],
  ['汪小明', '汪'],
  ['', ''],
])('the initial of %j is %j', (name, initial) => expect(initialOf(name)).toBe(initial));

describe('the code of a pay link', () => {
  const code = 'Ab-_567890123456789012';
  it.each([code, ` ${code}\n`, `https://wallet.example/app/pay?code=${code}`])(
    'is found in %s',
    (text) => expect(payCodeOfText(text)).toBe(code),
  );

  it.each(['', '@ada', `${code}3`, `https://wallet.example/app/redeem?code=${code}`, 'code'])(
    'is not found in %j',
    (text) => expect(payCodeOfText(text)).toBeUndefined(),
  );
});

describe('a handle', () => {
  it.each([
    ['ada', 'ada'],
    ['@Ada_99', 'ada_99'],
    [' @ada ', 'ada'],
    ['a'.repeat(20), 'a'.repeat(20)],
  ])('reads %s as %s', (text, handle) => expect(parseHandle(text)).toBe(handle));

  it.each([
    'ad',
    'a'.repeat(21),
    '1ada',
    '_ada',
    'ada-b',
    'adа',
    'suppоrt',
    'İda',
    'a da',
    '@',
    '',
    '@@ada',
  ])('is not %s', (text) => expect(parseHandle(text)).toBeUndefined());

  it.each([
    ['ada_99', 'ada99'],
    ['b0b_by', 'bobby'],
    ['ali', 'a1l'],
    ['ali', 'aii'],
    ['corner', 'comer'],
    ['c_o_r_n_er', 'comer'],
    ['vvill', 'will'],
    ['wiii', 'vv1ll'],
  ])('%s looks like %s', (one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)));

  it.each([
    ['ada', 'adam'],
    ['bob', 'rob'],
  ])('%s does not look like %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other));
  });

  it('may have no reserved word in it', () => {
    expect(isReserved('athos_fan', RESERVED)).toBe(true);
    expect(isReserved('5upport', RESERVED)).toBe(false);
    expect(isReserved('suppor7', RESERVED)).toBe(false);
  });
});

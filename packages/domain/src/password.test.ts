import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  normalizeEmail,
  normalizePassword,
  PASSWORD_RULES,
  passwordRulesMet,
  passwordStrength,
} from './password.ts';

const met = (password: string): string[] => [...passwordRulesMet(password)].toSorted();

const ASCII_PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

describe('password rules', () => {
  it('[S5-002] [D-150] count any ASCII punctuation as the special character, and nothing else', () => {
    const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const symbols = ascii.filter((character) => passwordRulesMet(`a${character}a`).has('symbol'));
    expect(symbols.join('')).toBe(ASCII_PUNCTUATION);
    expect(symbols).toHaveLength(32);
    for (const other of ['é', '€', '—', '😀', '٣', 'a b']) {
      expect(passwordRulesMet(other).has('symbol')).toBe(false);
    }
  });

  it('[S5-003] require a number', () => {
    expect(passwordRulesMet('password1').has('number')).toBe(true);
    expect(passwordRulesMet('password').has('number')).toBe(false);
  });

  it('[S5-004] require an uppercase letter', () => {
    expect(passwordRulesMet('pAssword').has('uppercase')).toBe(true);
    expect(passwordRulesMet('password').has('uppercase')).toBe(false);
  });

  it('[S5-005] require at least 8 characters', () => {
    expect(passwordRulesMet('1234567').has('length')).toBe(false);
    expect(passwordRulesMet('12345678').has('length')).toBe(true);
  });

  it('apply to the trimmed password', () => {
    expect(met('  aaaaaaa  ')).toEqual([]);
    expect(met(' aaaaaaaa ')).toEqual(['length']);
  });
});

describe('password strength', () => {
  it.each([
    ['', 'None'],
    ['aaaa', 'None'],
    ['aaaa1', 'Low'],
    ['Aaaa1', 'Low'],
    ['aaaaaaaa', 'Low'],
    ['Aaaaaaa1', 'Medium'],
    ['Aa1!', 'Medium'],
    ['Aaaaaa1!', 'Strong'],
  ])("[S5-006] rates '%s' as %s", (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });

  it('[S5-006] follows from the number of rules met: 0 None, 1-2 Low, 3 Medium, 4 Strong', () => {
    const byCount = ['None', 'Low', 'Low', 'Medium', 'Strong'];
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (password) => {
        expect(passwordStrength(password)).toBe(byCount[passwordRulesMet(password).size]);
      }),
    );
  });

  it('never decreases when a character is inserted', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        const longer = passwordRulesMet(`x${one}${other}x`);
        for (const rule of passwordRulesMet(`x${one}x`)) expect(longer.has(rule)).toBe(true);
      }),
    );
  });

  it('is Strong for every password with one of each kind and 8 characters, in any order', () => {
    const character = (characters: string) => fc.constantFrom(...characters.split(''));
    fc.assert(
      fc.property(
        character(ASCII_PUNCTUATION),
        character('0123456789'),
        character('ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
        fc.array(character('abcxyz'), { minLength: 5, maxLength: 20 }),
        fc.nat(),
        (symbol, number, uppercase, rest, turn) => {
          const parts = [symbol, number, uppercase, ...rest];
          const cut = turn % parts.length;
          const password = [...parts.slice(cut), ...parts.slice(0, cut)].join('');
          expect(passwordStrength(password)).toBe('Strong');
        },
      ),
    );
    expect(PASSWORD_RULES).toHaveLength(4);
  });
});

describe('normalising', () => {
  it('trims and lowercases an e-mail address, idempotently', () => {
    expect(normalizeEmail('  Ada@Example.COM\n')).toBe('ada@example.com');
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(normalizeEmail(normalizeEmail(address))).toBe(normalizeEmail(address));
      }),
    );
  });

  it('trims a password and leaves the inside alone', () => {
    expect(normalizePassword(' \tCorrect Horse 7 ! \n')).toBe('Correct Horse 7 !');
  });
});

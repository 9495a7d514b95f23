// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { permittedSections } from './sections.ts';

const items = permittedSections(() => true).flatMap((section) => section.items);

/** Values that occur more than once. */
const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('the menus', () => {
  it('give each screen a key of its own, which one press types', () => {
    expect(repeated(items.map(({ key }) => key))).toEqual([]);
    for (const { key } of items) expect(key).toMatch(/^[a-z0-9,]$/);
  });

  it('name each screen once', () => {
    expect(repeated(items.map(({ path }) => path))).toEqual([]);
    expect(repeated(items.map(({ label }) => label))).toEqual([]);
  });
});

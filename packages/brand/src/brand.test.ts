import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brand } from './brand.ts';
import { legal } from './legal.ts';
import { tiersPageUrl } from './links.ts';
import { themeCss } from './theme-css.ts';
import { THEME_COLOUR_NAMES } from './types.ts';

const USER_UUID = '0192f3a4-7c1d-7e3b-9a55-2f6d1c0b8e44';

describe('the demo brand', () => {
  it("[D-003] is 'Athos', its programme 'Athos Rewards'", () => {
    expect(brand.name).toBe('Athos');
    expect(brand.programmeName).toBe('Athos Rewards');
  });

  it("[D-004] has the provider 'Meridian Pay'", () => {
    expect(brand.provider.name).toBe('Meridian Pay');
  });

  it("has the product slug 'athos' and the tokens ATH, ATH2 and ATH3", () => {
    expect(brand.productSlug).toBe('athos');
    expect(brand.tokens.map((token) => token.symbol)).toEqual(['ATH', 'ATH2', 'ATH3']);
  });

  it('[D-007] is one typed value with all facts: names, symbols, colours, logos, links, policies, texts, support', () => {
    const facts = {
      names: [brand.name, brand.programmeName, brand.legalName, brand.provider.name],
      symbols: brand.tokens.map(({ symbol }) => symbol),
      colours: THEME_COLOUR_NAMES.map((name) => brand.colours.light[name]),
      darkColours: THEME_COLOUR_NAMES.map((name) => brand.colours.dark[name]),
      logos: [brand.logo, brand.provider.logo, ...brand.tokens.map(({ icon }) => icon)].flatMap(
        ({ paths }) => paths,
      ),
      links: [brand.links.siteUrl, brand.provider.siteUrl],
      policies: [brand.links.termsUrl, brand.links.privacyUrl, brand.links.userDataDeletionUrl],
      texts: [legal.terms.intro, legal.privacy.intro],
      support: [brand.supportAddress],
    };
    for (const [name, values] of Object.entries(facts)) {
      expect(values.length, name).toBeGreaterThan(0);
      for (const value of values) expect(value, name).toMatch(/\S/);
    }
    for (const colour of [...facts.colours, ...facts.darkColours]) {
      expect(colour).toMatch(/^#([\da-f]{6}|[\da-f]{8})$/i);
    }
  });

  it("links to the tiers page of the product's website with the tracking parameters", () => {
    expect(tiersPageUrl(brand, USER_UUID)).toBe(
      `${brand.links.siteUrl}/tiers?utm_source=wallet&utm_medium=app&utm_campaign=tiers&uid=${USER_UUID}`,
    );
  });

  it.each([legal.terms, legal.privacy])('dates and numbers its $title', (text) => {
    expect(text.version).toMatch(/^\d+\.\d+$/);
    expect(text.inForceSince).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(text.sections.length).toBeGreaterThan(4);
    for (const section of text.sections) expect(section.paragraphs.length).toBeGreaterThan(0);
  });
});

describe('the stylesheet of the brand', () => {
  it('matches its colours', () => {
    const written = readFileSync(new URL('theme.css', import.meta.url), 'utf8');
    expect(written).toBe(themeCss(brand.colours));
  });
});

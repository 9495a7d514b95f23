/** The pictures of drinks, by name. */
import { bottle, coupe, tumbler } from './drinks.ts';
import { beans, crate, slice } from './bar.ts';
import { arch, bokeh, hills, sun } from './light.ts';
import { faded, scaled, times } from './svg.ts';
import { picture, type Pictures } from './picture.ts';

export const drinksPictures: Pictures = {
  drinks: picture('plum', (c) => ({
    behind: sun(c, 640, 430, 210) + bokeh(c, 16),
    hero:
      bottle(c, 400, 380) +
      bottle(c, 880, 360, c.hot) +
      bottle(c, 560, 470, c.deep) +
      tumbler(c, 745, { ice: true }),
  })),
  'tasting-box': picture('amber', (c) => ({ behind: bokeh(c, 22), hero: scaled(1.08, crate(c)) })),
  'house-pour': picture('coral', (c) => ({
    behind: arch(c, 640, 520, 90) + bokeh(c, 8),
    hero: tumbler(c, 640, { tall: 330, half: 118, ice: true, full: 0.8 }),
  })),
  'winter-batch': picture('sea', (c) => ({
    behind: sun(c, 860, 300, 120) + hills(c, [520, 570]),
    hero: bottle(c, 640, 490),
    before: bokeh(c, 40, [40, 760]),
  })),
  'bottle-a-month': picture('rose', (c) => ({
    behind: sun(c, 640, 470, 250),
    hero: times(5, (index) =>
      bottle(
        c,
        300 + index * 170,
        330 + (2 - Math.abs(2 - index)) * 55,
        [c.deep, c.body, c.hot][index % 3],
      ),
    ),
  })),
  'cold-brew': picture('amber', (c) => ({
    behind: sun(c, 640, 450, 220),
    hero: tumbler(c, 640, {
      tall: 380,
      half: 128,
      ice: true,
      full: 0.8,
      colours: [c.body, c.night],
    }),
    before: beans(c, 18, [180, 1100]),
  })),
  'cold-brew-classic': picture('plum', (c) => ({
    behind: arch(c, 640, 500, 110),
    hero: bottle(c, 530, 450, c.body) + tumbler(c, 730, { ice: true, colours: [c.body, c.night] }),
    before: beans(c, 9, [780, 1120]),
  })),
  'cold-brew-orange': picture('coral', (c) => ({
    behind: sun(c, 640, 440, 200),
    hero:
      tumbler(c, 560, { tall: 340, half: 112, ice: true, colours: [c.hot, c.night] }) +
      slice(c, 790, 110, ['#f08a2c', '#ffb457']),
  })),
  'cold-brew-nitro': picture('violet', (c) => ({
    behind: arch(c, 640, 560, 100),
    hero: tumbler(c, 640, {
      tall: 390,
      half: 122,
      full: 0.86,
      bubbles: 90,
      colours: [c.light, c.night],
    }),
  })),
  sparkling: picture('sea', (c) => ({
    behind: sun(c, 640, 420, 220) + bokeh(c, 26),
    hero:
      tumbler(c, 640, {
        tall: 400,
        half: 108,
        bubbles: 60,
        full: 0.84,
        colours: [c.light, c.hot],
      }) + slice(c, 850, 84, ['#e2b93a', '#ffe38a']),
  })),
  'sparkling-bitter': picture('amber', (c) => ({
    behind: arch(c, 640, 540, 100),
    hero: bottle(c, 540, 460, c.hot) + slice(c, 760, 112, ['#e8b53c', '#ffe08a']),
  })),
  'sparkling-rose': picture('rose', (c) => ({
    behind: sun(c, 640, 400, 230),
    hero: coupe(c, 520, [c.glow, c.hot]) + coupe(c, 770, [c.glow, c.hot]),
    before: bokeh(c, 14),
  })),
  'sparkling-tonic': picture('violet', (c) => ({
    behind: bokeh(c, 20),
    hero: scaled(
      1.05,
      tumbler(c, 500, { tall: 350, bubbles: 40, ice: true, colours: [c.light, c.body] }) +
        bottle(c, 760, 450, c.body),
    ),
  })),
  'sparkling-quince': picture('coral', (c) => ({
    behind: arch(c, 640, 620, 80),
    hero: bottle(c, 640, 480, c.hot) + faded(0.55, bottle(c, 440, 400), bottle(c, 840, 400)),
  })),
};

/** The pictures of discounts, gear, crew and table, by name. */
import { bottle, coupe, tumbler } from './drinks.ts';
import { candle, decanter, flask, shaker } from './bar.ts';
import { rain, tyre } from './racing.ts';
import { arch, bokeh, hills, lamp, sun } from './light.ts';
import { beams } from './music.ts';
import { faded, GROUND, line, moved, scaled, times } from './svg.ts';
import { bag, shirt, ticket, umbrella } from './things.ts';
import { basket, bowl, cloche, pendants, plate, rope, spotlight } from './service.ts';
import { picture, type Pictures } from './picture.ts';

export const thingsPictures: Pictures = {
  discounts: picture('coral', (c) => ({
    behind: bokeh(c, 14),
    hero:
      ticket(c, [690, 430], 14, undefined) +
      ticket(c, [640, 420], 0, undefined) +
      ticket(c, [600, 410], -12, 'percent'),
  })),
  'two-for-one': picture('amber', (c) => ({
    behind: sun(c, 640, 400, 240),
    hero: ticket(c, [640, 420], -8, 'two'),
  })),
  'half-price-hall': picture('violet', (c) => ({
    behind: beams(c, 5),
    hero: ticket(c, [640, 430], 7, 'half'),
  })),
  'ten-off-gear': picture('sea', (c) => ({
    behind: bokeh(c, 22),
    hero: ticket(c, [680, 450], 10, undefined) + ticket(c, [620, 420], -6, 'percent'),
  })),
  'second-ticket': picture('plum', (c) => ({
    behind: sun(c, 640, 420, 230),
    hero: ticket(c, [700, 470], 12, undefined) + ticket(c, [600, 390], -10, 'note'),
  })),
  'refill-card': picture('rose', (c) => ({
    behind: arch(c, 640, 760, 60),
    hero: ticket(c, [640, 420], -5, 'drop'),
  })),
  gear: picture('plum', (c) => ({
    behind: sun(c, 640, 420, 220),
    hero:
      moved(-250, 0, scaled(0.9, flask(c, 640))) +
      scaled(0.82, bag(c)) +
      tumbler(c, 950, { tall: 230, half: 88 }),
  })),
  'steel-flask': picture('sea', (c) => ({ behind: arch(c, 640, 540, 90), hero: flask(c, 640) })),
  'tumbler-pair': picture('amber', (c) => ({
    behind: sun(c, 640, 420, 230),
    hero:
      tumbler(c, 510, { tall: 280, half: 110 }) +
      tumbler(c, 775, { tall: 280, half: 110, full: 0.5, ice: true }),
  })),
  'heavy-tee': picture('coral', (c) => ({
    behind: sun(c, 640, 400, 300),
    hero: shirt(c),
    gloss: 0.12,
  })),
  'big-umbrella': picture('rose', (c) => ({
    behind: bokeh(c, 16),
    hero: umbrella(c),
    before: rain(c),
    gloss: 0.5,
  })),
  'market-bag': picture('amber', (c) => ({ behind: arch(c, 640, 620, 80), hero: bag(c) })),
  glassware: picture('coral', (c) => ({
    behind: sun(c, 640, 400, 240),
    hero:
      decanter(c, 470) + coupe(c, 770, [c.glow, c.hot]) + tumbler(c, 970, { tall: 190, half: 80 }),
  })),
  decanter: picture('plum', (c) => ({
    behind: arch(c, 640, 600, 80),
    hero: scaled(1.15, decanter(c, 640)),
  })),
  'highball-four': picture('sea', (c) => ({
    behind: sun(c, 640, 440, 230),
    hero: times(4, (index) =>
      tumbler(c, 295 + index * 230, { tall: 360, half: 88, full: 0.3 + index * 0.17, bubbles: 16 }),
    ),
  })),
  'imperfect-set': picture('violet', (c) => ({
    behind: bokeh(c, 18),
    hero:
      tumbler(c, 400, { tall: 300, half: 100, full: 0.6 }) +
      tumbler(c, 660, { tall: 230, half: 112, full: 0.45 }) +
      tumbler(c, 890, { tall: 340, half: 84, full: 0.7 }) +
      line('M612 424l22 46l-14 30l26 52', c.light, 2.5),
  })),
  crew: picture('amber', (c) => ({
    behind: sun(c, 640, 360, 250) + bokeh(c, 12),
    hero:
      moved(
        -24,
        0,
        `<g transform="rotate(13 520 ${GROUND})">${coupe(c, 520, [c.glow, c.hot])}</g>`,
      ) +
      moved(
        24,
        0,
        `<g transform="rotate(-13 760 ${GROUND})">${coupe(c, 760, [c.light, c.glow])}</g>`,
      ),
    before: times(14, () =>
      faded(0.8, lamp(c, c.between(560, 720), c.between(150, 330), c.between(1, 4))),
    ),
  })),
  'bar-crew': picture('coral', (c) => ({
    behind: pendants(c, [360, 920], 180),
    hero: shaker(c, 560) + coupe(c, 800, [c.glow, c.hot]),
  })),
  'stage-crew': picture('violet', (c) => ({ hero: spotlight(c) })),
  'pit-crew': picture('rose', (c) => ({
    behind: bokeh(c, 12),
    hero: tyre(c, 800, 150) + tyre(c, 520, 220),
  })),
  'kitchen-crew': picture('amber', (c) => ({
    behind: pendants(c, [640], 150),
    hero: cloche(c, 640),
  })),
  'door-crew': picture('plum', (c) => ({ behind: arch(c, 640, 420, 90), hero: rope(c) })),
  table: picture('amber', (c) => ({
    behind: pendants(c, [640], 150) + bokeh(c, 10),
    hero:
      plate(c, 390, 150) +
      plate(c, 890, 150) +
      candle(c, 640, 150) +
      coupe(c, 520, [c.glow, c.hot]) +
      coupe(c, 770, [c.glow, c.hot]),
  })),
  'kitchen-counter': picture('plum', (c) => ({
    behind: pendants(c, [280, 640, 1000], 210),
    hero: plate(c, 280, 160) + plate(c, 640, 160) + plate(c, 1000, 160),
  })),
  'sunday-broth': picture('coral', (c) => ({ behind: arch(c, 640, 640, 80), hero: bowl(c, 640) })),
  'picnic-hamper': picture('sea', (c) => ({
    behind: sun(c, 880, 400, 150) + hills(c, [520, 570]),
    hero: basket(c, 640, moved(0, -120, bottle(c, 720, 330, c.hot) + bottle(c, 560, 300, c.body))),
  })),
  'two-plates': picture('violet', (c) => ({
    behind: bokeh(c, 18),
    hero: ticket(c, [640, 400], -7, 'half'),
  })),
};

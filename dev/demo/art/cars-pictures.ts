/** The pictures of cars and roads, by name. */
import { carFront, carRear, carSide, roadster } from './cars.ts';
import { chequered, helmet, rain, road, streaks, track } from './racing.ts';
import { arch, bokeh, hills, sun } from './light.ts';
import { faded, moved, scaled } from './svg.ts';
import { nightSky, pendants, soap } from './service.ts';
import { picture, type Pictures } from './picture.ts';

export const carsPictures: Pictures = {
  supercars: picture('coral', (c) => ({
    behind: sun(c, 640, 400, 250),
    hero: scaled(1.15, carFront(c)),
    gloss: 0.5,
  })),
  'garage-evening': picture('plum', (c) => ({
    behind:
      pendants(c, [240, 640, 1040], 130) +
      faded(
        0.55,
        moved(-330, -18, scaled(0.72, carFront(c))),
        moved(330, -18, scaled(0.72, carFront(c))),
      ),
    hero: carFront(c),
    gloss: 0.5,
  })),
  'sunrise-drive': picture('amber', (c) => ({
    behind: sun(c, 760, 450, 190) + hills(c, [500, 560, 600]),
    hero: scaled(1.08, carSide(c)),
    gloss: 0.45,
  })),
  'night-shift': picture('coral', (c) => ({
    behind: bokeh(c, 46, [260, 560]) + streaks(c, 16),
    hero: scaled(1.08, carRear(c)),
    gloss: 0.6,
  })),
  'closed-circuit': picture('rose', (c) => ({
    behind: sun(c, 640, 330, 170) + track(c),
    hero: scaled(0.62, carRear(c)),
    gloss: 0.2,
  })),
  'track-days': picture('amber', (c) => ({
    behind: sun(c, 420, 420, 190) + hills(c, [560]),
    hero: chequered(c, 420, 190),
    before: streaks(c, 10),
  })),
  'first-laps': picture('coral', (c) => ({ behind: arch(c, 640, 660, 70), hero: helmet(c) })),
  'passenger-lap': picture('rose', (c) => ({
    behind: streaks(c, 44),
    hero: scaled(1.1, carSide(c)),
    before: streaks(c, 14),
    gloss: 0.4,
  })),
  'rain-school': picture('sea', (c) => ({
    behind: bokeh(c, 22),
    hero: scaled(1.05, carFront(c)),
    before: rain(c),
    gloss: 0.75,
  })),
  'slow-roads': picture('amber', (c) => ({
    behind: sun(c, 668, 372, 130) + hills(c, [400, 440]),
    hero: '',
    before: road(c),
    light: [668, 380],
  })),
  'vintage-picnic': picture('rose', (c) => ({
    behind: sun(c, 420, 420, 170) + hills(c, [520, 580]),
    hero: moved(30, 0, roadster(c)),
  })),
  'mountain-pass': picture('violet', (c) => ({
    behind: nightSky(c, 300) + hills(c, [330, 390, 440]),
    hero: '',
    before: road(c),
    light: [668, 420],
  })),
  'hand-wash': picture('sea', (c) => ({
    behind: pendants(c, [440, 840], 120),
    hero: carFront(c),
    before: soap(c, 34),
    gloss: 0.7,
  })),
};

/** The pictures of music, by name. */
import { tumbler } from './drinks.ts';
import { candle } from './bar.ts';
import { arch, bokeh, hills, lamp, shadow, sun } from './light.ts';
import {
  beams,
  crowd,
  doubleBass,
  festoon,
  grandPiano,
  harbour,
  loudspeaker,
  microphone,
  record,
  tent,
  trunks,
} from './music.ts';
import { faded, scaled, type Canvas } from './svg.ts';
import { bricks, nightSky, pendants } from './service.ts';
import { picture, type Pictures } from './picture.ts';

const onStage = (canvas: Canvas): string => arch(canvas, 640, 560, 120);

export const musicPictures: Pictures = {
  'live-music': picture('plum', (c) => ({
    behind: beams(c, 7),
    hero: '',
    before: crowd(c, 620),
    light: [640, 380],
  })),
  'rooftop-session': picture('violet', (c) => ({
    behind: nightSky(c, 980) + festoon(c, 130, 60) + faded(0.5, harbour(c)),
    hero: grandPiano(c),
  })),
  'cellar-jazz': picture('coral', (c) => ({
    behind: bricks(c) + arch(c, 640, 520, 70),
    hero: doubleBass(c, 640),
  })),
  'vinyl-night': picture('plum', (c) => ({
    behind: sun(c, 640, 440, 320),
    hero: record(c, 640, 400, 256),
  })),
  'sound-check': picture('amber', (c) => ({
    behind: beams(c, 4),
    hero: loudspeaker(c, 330, 400) + loudspeaker(c, 950, 400) + microphone(c, 640, 200),
  })),
  'closing-night': picture('violet', (c) => ({
    behind: beams(c, 5) + bokeh(c, 12),
    hero: scaled(0.8, grandPiano(c)),
    before: crowd(c, 690, 13),
  })),
  'small-rooms': picture('rose', (c) => ({
    behind: bricks(c) + onStage(c),
    hero: microphone(c, 640),
  })),
  'listening-bar': picture('amber', (c) => ({
    behind: pendants(c, [640], 190),
    hero:
      loudspeaker(c, 330, 440) +
      loudspeaker(c, 950, 440) +
      tumbler(c, 640, { tall: 190, half: 84, ice: true }),
  })),
  'poets-basement': picture('plum', (c) => ({
    behind: bricks(c) + lamp(c, 900, 250, 22),
    hero: microphone(c, 520, 220) + candle(c, 820, 150) + tumbler(c, 930, { tall: 170, half: 70 }),
  })),
  festivals: picture('plum', (c) => ({
    behind: nightSky(c, 250) + hills(c, [470, 540]) + festoon(c, 120, 80),
    hero: tent(c, 330, 190, 250) + tent(c, 950, 210, 270) + tent(c, 640, 250, 340),
  })),
  'harbour-weekend': picture('sea', (c) => ({
    behind: nightSky(c, 1010) + festoon(c, 90, 60),
    hero: scaled(1.1, harbour(c)),
    gloss: 0.6,
  })),
  'forest-floor': picture('sea', (c) => ({
    behind: sun(c, 640, 500, 150) + trunks(c),
    hero: scaled(0.8, tent(c, 640, 210, 270)),
    before: festoon(c, 150, 70) + bokeh(c, 16, [500, 760]),
  })),
  'midwinter-lights': picture('violet', (c) => ({
    behind:
      nightSky(c, 640) + hills(c, [430, 500, 560]) + festoon(c, 190, 110) + festoon(c, 90, 60),
    hero: tent(c, 400, 150, 190) + tent(c, 880, 150, 190) + shadow(c, 640, 60),
    before: crowd(c, 700, 15),
  })),
};

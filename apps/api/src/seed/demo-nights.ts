import { mainToken } from '@athos/brand/brand';
import { OFFER_KINDS } from '@athos/contract/wallet/catalogue';
import type { OfferDrafts } from './offer-draft.ts';

const { Event, Discount } = OFFER_KINDS;
const SILVER = 2;
const ONYX = 4;

/** Music and cars. */
export const demoNights: OfferDrafts = {
  2: [
    [
      'rooftop-session',
      'Rooftop Session',
      Event,
      180,
      'Forty seats, one piano, the harbour below.\n\n- Doors at 19:00\n- A drink is included',
      { displayType: 'banner' },
    ],
    [
      'cellar-jazz',
      'Cellar Jazz',
      Event,
      95,
      'Every first Thursday. Bring somebody who claims not to like jazz.',
    ],
    ['vinyl-night', 'Vinyl Night', Event, 40, 'You bring one record. We play it, *all of it*.'],
    [
      'sound-check',
      'Sound Check',
      Event,
      60,
      'An hour before everybody else. Sit anywhere, touch nothing. For members from Silver on.',
      { tierIdMin: SILVER },
    ],
    [
      'closing-night',
      'Closing Night of the Season',
      Event,
      140,
      'The last one before the piano is tuned. It was a good night.',
      { saleStartsInDays: -60, saleEndsInDays: -2 },
    ],
  ],
  3: [
    [
      'garage-evening',
      'An Evening in the Garage',
      Event,
      320,
      'Twelve cars, their keepers, and time to ask.',
      { displayType: 'wide' },
    ],
    [
      'sunrise-drive',
      'Sunrise Drive',
      Event,
      1450,
      'Two hours along the coast before the world is awake. Fuel, insurance and breakfast are included.',
    ],
    [
      'night-shift',
      'The Night Shift',
      Event,
      620,
      'Empty motorway, full moon, somebody else at the fuel pump. Tickets in three weeks.',
      { displayType: 'wide', saleStartsInDays: 21, saleEndsInDays: 80 },
    ],
    [
      'closed-circuit',
      'The Closed Circuit',
      Event,
      4800,
      'A track, a day, and you. The marshals will wave. **Onyx only, and only one.**',
      { tierIdMin: ONYX, stockLeft: 1, userCountMax: 1, venue: 2 },
    ],
  ],
  9: [
    [
      'harbour-weekend',
      'Harbour Weekend',
      Event,
      540,
      `Three stages, two nights, one ferry. Pay with ${mainToken.symbol} and skip the fee.`,
    ],
    ['forest-floor', 'Forest Floor', Event, 410, 'No headliner. Nobody has ever complained.'],
    [
      'midwinter-lights',
      'Midwinter Lights',
      Event,
      230,
      'Ten thousand bulbs and one switch. Bring gloves.',
      { displayType: 'banner', saleStartsInDays: 9, saleEndsInDays: 60 },
    ],
  ],
  10: [
    [
      'first-laps',
      'First Laps',
      Event,
      880,
      'Five laps with an instructor beside you. A driving licence is needed.',
      { venue: 2 },
    ],
    [
      'passenger-lap',
      'Passenger Lap',
      Event,
      260,
      'One lap, as fast as it goes. You only have to hold on.',
      { venue: 2 },
    ],
    [
      'rain-school',
      'Rain School',
      Event,
      470,
      'We wait for the weather, then we drive. Withdrawn until it rains again.',
      { isWithdrawn: true },
    ],
  ],
  13: [
    [
      'listening-bar',
      'Listening Bar',
      Event,
      35,
      'One album, start to end, on a system older than you. Talking is for afterwards.',
    ],
    [
      'poets-basement',
      'Poets in the Basement',
      Event,
      22,
      'Eight poems, five minutes each. The candle decides.',
    ],
  ],
  14: [
    [
      'vintage-picnic',
      'Sixty Horsepower Picnic',
      Event,
      290,
      'An open car of another century, a basket, and a road that ends at a lake.',
      { displayType: 'wide' },
    ],
    [
      'mountain-pass',
      'Forty-Eight Bends',
      Event,
      680,
      'Over the pass by moonlight, with a guide who knows each of them by name.',
    ],
    [
      'hand-wash',
      'Hand Wash at Half',
      Discount,
      20,
      'Two buckets, one sponge, an hour of attention.',
      { venue: 1 },
    ],
  ],
};

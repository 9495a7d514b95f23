import { expect, it } from 'vitest';
import { networkCaller } from './caller.ts';

it.each([
  ['203.0.113.7', ['203.0.113.7']],
  ['::ffff:203.0.113.7', ['203.0.113.7']],
  ['2001:db8:1:2::5', ['2001:db8:1::/48', '2001:db8:1:2::/64']],
  ['2001:db8::5', ['2001:db8:0::/48', '2001:db8:0:0::/64']],
  ['', ['unknown']],
])('%s takes its turn as %j', (address, caller) => {
  expect(networkCaller(address)).toEqual(caller);
});

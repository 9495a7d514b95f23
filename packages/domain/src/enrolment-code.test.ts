import { expect, it } from 'vitest';
import { enrolmentCodeOfQr, enrolmentQrText } from './enrolment-code.ts';

it('an enrolment code is read from its QR code', () => {
  expect(enrolmentCodeOfQr(enrolmentQrText('7KQM4TXB'))).toBe('7KQM4TXB');
});

it.each([
  '7KQM4TXB',
  'E1:',
  'E1:7KQM4TX',
  'E1:7KQM4TXBB',
  'E1:7kqm4txb',
  'T1:7KQM4TXB',
  ' E1:7KQM4TXB',
])('%j is a code of something else', (text) => {
  expect(enrolmentCodeOfQr(text)).toBeUndefined();
});

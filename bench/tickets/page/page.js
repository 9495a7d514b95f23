/** The code that `run.mjs` measures in a browser: the wallet's codes, the widget's decoder and the scanner's verification of a ticket. */
import { toBase64url } from '@athos/domain/base64url';
import { compressPoint } from '@athos/domain/p256';
import {
  encodeTicket,
  parseTicketCode,
  showingToSign,
  ticketCodeText,
  ticketToSign,
} from '@athos/domain/ticket-code';
import { QrCode } from '@athos/ui/qr/qr-code';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { verifyTicketCode } from '../../../apps/scanner/src/state/verify-ticket.ts';
import { loadDecoder } from '../../../packages/ui/src/qr/qr-scanner-decoder.ts';
import './page.css';

const KEY_BYTE = 7;
const SIDE_PX = 720;
const DEGREE = Math.PI / 180;
const NOW_S = 1_795_262_400;

/** Views of a code by a camera: `scale` of the frame's side, `angle` in radians, `blur` in px. */
const VIEWS = {
  straight: { scale: 0.72, angle: 0, blur: 0 },
  tilted: { scale: 0.72, angle: 15 * DEGREE, blur: 0 },
  blurred: { scale: 0.72, angle: 0.1, blur: 2 },
  half: { scale: 0.36, angle: 0.1, blur: 0.6 },
};

const root = createRoot(document.querySelector('#root'));
const sign = async (algorithm, key, bytes) =>
  new Uint8Array(await crypto.subtle.sign(algorithm, key, bytes));

/** A code with valid signatures over this many items, and the key that verifies it. */
async function makeCode(itemCount) {
  const server = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const phone = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const body = encodeTicket({
    keyByte: KEY_BYTE,
    number: 9_000_001,
    holder: '0192dddd',
    validFromS: NOW_S,
    validHours: 48,
    phoneKey: compressPoint(new Uint8Array(await crypto.subtle.exportKey('raw', phone.publicKey))),
    groups: [{ offerId: 1_234_567, firstItemId: 9_000_001, itemCount }],
  });
  const ticket = Uint8Array.from([
    ...body,
    ...(await sign('Ed25519', server.privateKey, ticketToSign(body))),
  ]);
  const showing = {
    timeS: NOW_S + 60,
    selection: Array.from({ length: itemCount }, (_, index) => index),
  };
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', ticket));
  const signature = await sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    phone.privateKey,
    showingToSign(hash, showing, itemCount),
  );
  const publicKey = toBase64url(
    new Uint8Array(await crypto.subtle.exportKey('raw', server.publicKey)),
  );
  return {
    text: ticketCodeText(ticket, showing, itemCount, signature),
    keys: [{ keyByte: KEY_BYTE, publicKey }],
  };
}

/** Shows the code as the wallet does. */
const show = (value, hasLogo) => root.render(createElement(QrCode, { value, hasLogo }));

/** Parses and verifies the code this many times. Returns the duration of each in ms; the first one includes loading. */
async function timeVerifying({ text, keys }, count) {
  const times = [];
  for (let round = 0; round < count; round += 1) {
    const startMs = performance.now();
    const code = parseTicketCode(text);
    const verdict = await verifyTicketCode(code, keys);
    times.push(performance.now() - startMs);
    if (!verdict.isTicketGenuine || !verdict.isShowingGenuine) throw new Error('not genuine');
  }
  return times;
}

async function drawView(png, { scale, angle, blur }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
  const context = canvas.getContext('2d');
  context.fillStyle = '#3a3340';
  context.fillRect(0, 0, SIDE_PX, SIDE_PX);
  context.translate(SIDE_PX / 2, SIDE_PX / 2);
  context.rotate(angle);
  context.filter = `blur(${blur}px)`;
  const side = SIDE_PX * scale;
  context.drawImage(image, -side / 2, -side / 2, side, side);
  return context.getImageData(0, 0, SIDE_PX, SIDE_PX);
}

/** Reads each code of `shots` in each view, alternately. Returns the ms by view and code; `undefined` if it was not read. */
async function timeReading(shots, count) {
  const decode = await loadDecoder();
  const results = {};
  for (const [name, view] of Object.entries(VIEWS)) {
    const pictures = await Promise.all(shots.map(({ png }) => drawView(png, view)));
    const times = shots.map(() => []);
    for (let round = 0; round < count; round += 1) {
      for (const [index, picture] of pictures.entries()) {
        const startMs = performance.now();
        const text = await decode(picture);
        times[index].push(text === shots[index].text ? performance.now() - startMs : undefined);
      }
    }
    results[name] = times;
  }
  return results;
}

globalThis.tickets = { makeCode, show, timeVerifying, timeReading };

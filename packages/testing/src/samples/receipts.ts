/** The receipt of `history.sent`, made with a discarded key: it passes every step of the verification. */
import type { AnswerOf } from '@athos/contract/api';

export const receipt: NonNullable<AnswerOf<'receipt'>['receipt']> = {
  version: 1,
  parts: [
    {
      name: 'movement',
      salt: '01b87c5ff7930c7cc6751fb144ac2ebe',
      text: '1|1204|ATH|12500000|1|1795197840000000',
    },
    {
      name: 'payer',
      salt: '1dc81ab3d553ceb573d67a2bf7996157',
      text: '0192f3a1-7c1e-7d55-8a31-0b7c2d4f6e11',
    },
    {
      name: 'payer_books',
      salt: '2316790e283effd04688311f076d9393',
      text: '1284560000|1203|0192f3a1-0000-4d55-8a31-0b7c2d4f6e11|0',
    },
    {
      name: 'payee',
      hash: '3b55ee1cb2e3f6758763e621ceaf66893701fd0576be452ed27f30a5b6ba157f',
    },
    {
      name: 'payee_books',
      hash: 'e17e20e8b2e34add7266288f93ef870cbd9925e371082eed1cbc72bd10b442b9',
    },
  ],
  leaf: 'c446984ecdc226fe6034effab7e4db9ffd4fc83ac18111bc9a1978f5b00d9e72',
  path: [
    {
      side: 'right',
      hash: 'f4ba74f1da0688e62469c75cc8892973c54cd0544a4521705cf4622fe56db009',
    },
    {
      side: 'left',
      hash: '0ef821e6aa54508c6e15575b36aeac4b62521782712b00986297b9745b75790a',
    },
    {
      side: 'left',
      hash: '30dea004131d3400bf947b6935a034e7b8ca2aa69a4fdd0b0b9b71a5638f125c',
    },
    {
      side: 'right',
      hash: '800d481c21d04ef7940f5094dcbd1b63a9202db2e56feb155d245c9376dd5d43',
    },
  ],
  seal: {
    number: 4711,
    first_id: 1198,
    last_id: 1210,
    count: 13,
    root: '7d75b25b2778c9a47f79b5546fcda3704dc825a841b133cef421bccf08074e35',
    chain_hash: '9414886b1ebf025db067a4cbd13a0903fbd9733a5372bba1b58bd72c1699b798',
    sealed_at: '2026-11-20T18:09:10.000Z',
    previous: '6db7d803e74f1ffa7d8f5adc0bf95b3e15bf4c8373fffadf546227cc6c6742cb',
    hash: 'd0bcea9f88e5cc3829bc06750a3b48efa8c6e873e6d1b1d137b3b6f893adbc34',
    signature:
      'd6b74169381a250567836e178d821f19dd1ecb783379424b77ba4f1c39fd6c18cd70dbe16d9e3d2994c0b719b58aabfd9c7da0ef5c22f69b95f3b323d10b0603',
    key: '7e0a404773103bc33d2412820edbe512eb748c3ad9e5bac0523fb9cbeb1bf289',
  },
  day_path: [
    {
      side: 'left',
      hash: 'e079c1765b8eaa904190416f1cee2bf7f42420f1941e486279fe426811b32937',
    },
    {
      side: 'right',
      hash: '622edd9215f915bef53d01c538d0e9d9b6025e3bad28d66fce5ede27f1a09ed8',
    },
  ],
  day: {
    day: '2026-11-20',
    first_seal: 4710,
    last_seal: 4713,
    root: 'ba4775892ab35888ea9b9dd748ec42228c934e07f1cf8399493c464a42d29649',
    previous: '5e8341ad6ac0d1e2271e106542dbb3ff88b2bffbaaeed971b7d736e32ac044cf',
    hash: 'b1082499535c3ffeabbdf40a27b10394bed162b946899a6071946dcfbd95772d',
    signature:
      '57238c7d2cc927a9bbd070b8c27106985603b09bab03cd83bf335a765bd0ab3d443b0a9db9738a2f4f7484c3f10ed550aa9e2478a43e63e0817f3fe41b2c1001',
    key: '7e0a404773103bc33d2412820edbe512eb748c3ad9e5bac0523fb9cbeb1bf289',
  },
};

export const heads: AnswerOf<'ledgerHeads'> = {
  heads: receipt.day === null ? [] : [receipt.day],
  keys: [receipt.seal.key],
};

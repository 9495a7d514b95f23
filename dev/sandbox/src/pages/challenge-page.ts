import { answerChallenge, findChallenge } from '../payments/confirm-intent.ts';
import type { Challenge } from '../payments/confirm-intent.ts';
import type { Sandbox } from '../sandbox.ts';
import { parseForm } from '../transport/form.ts';
import { readText } from '../transport/params.ts';
import { escapeHtml, pagePolicy } from './reply.ts';
import type { Reply } from './reply.ts';

function page(title: string, body: string, formAction: string): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': pagePolicy(formAction),
      'Referrer-Policy': 'no-referrer',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/elements/challenge.css">
</head>
<body>
<div class="page">
${body}
</div>
</body>
</html>
`,
  };
}

/** The bank's page: a plain form, so that it works without scripts. */
export function showChallenge(sandbox: Sandbox, source: string): Reply {
  const challenge = findChallenge(sandbox, source);
  if (challenge === undefined) return showEnd('This authentication is over.');
  const { intent, method } = challenge.attempt;
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency: intent.currency });
  const price = amount.format(intent.amount / 100);
  const last4 = method.card?.last4 ?? '';
  const actions = ["'self'", ...returnOrigins(challenge)].join(' ');
  return page(
    '3D Secure authentication',
    `<p class="bank">Test bank</p>
<h1>Confirm your payment</h1>
<p class="amount">${escapeHtml(price)}</p>
<p>${escapeHtml(intent.description ?? 'Payment')} with the card ending in ${escapeHtml(last4)}</p>
<form method="post" action="/3d_secure/${escapeHtml(source)}">
<button class="primary" name="outcome" value="pass">Complete authentication</button>
<button name="outcome" value="fail">Fail authentication</button>
</form>
<p class="note">This is a test: no bank is asked and no money moves.</p>`,
    actions,
  );
}

function showEnd(sentence: string): Reply {
  return page('3D Secure authentication', `<h1>${escapeHtml(sentence)}</h1>`, "'none'");
}

/** Origins that the form's response may redirect to, because browsers apply `form-action` to redirects too. */
function returnOrigins(challenge: Challenge): string[] {
  const url = URL.parse(challenge.returnUrl ?? '');
  if (url === null) return [];
  return [url.origin === 'null' ? url.protocol : url.origin];
}

/** Takes the cardholder's answer. If there is a return URL, redirects to it with the provider's three parameters. */
export function takeChallengeAnswer(sandbox: Sandbox, source: string, body: string): Reply {
  const isPassed = readText(parseForm(body), 'outcome') === 'pass';
  const done = sandbox.store.transaction(() => {
    const challenge = findChallenge(sandbox, source);
    if (challenge === undefined) return undefined;
    return { challenge, ...answerChallenge(sandbox, challenge.attempt, isPassed) };
  });
  if (done === undefined) return showEnd('This authentication is over.');
  const url = URL.parse(done.challenge.returnUrl ?? '');
  if (url === null) {
    return showEnd(isPassed ? 'Authentication complete.' : 'Authentication failed.');
  }
  url.searchParams.set('payment_intent', done.intent.id);
  url.searchParams.set('payment_intent_client_secret', done.intent.client_secret ?? '');
  url.searchParams.set('redirect_status', done.refusal === null ? 'succeeded' : 'failed');
  return { status: 303, headers: { Location: url.href }, body: '' };
}

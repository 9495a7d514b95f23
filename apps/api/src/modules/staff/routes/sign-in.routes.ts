/** Calls without a session: sign-in, and accepting an invite. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { readSessionCookie, sessionCookie } from '../../../platform/console/console-cookie.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { invariant } from '../../../platform/errors.ts';
import { networkCaller, type Caller } from '../../../platform/limits/caller.ts';
import { createGate, type Gate } from '../../../platform/limits/gate.ts';
import { requireAttemptNow } from '../../../platform/limits/guesses.ts';
import { judgeNewPasskey, newPasskeyOptions, signInOptions } from '../factors/own-passkeys.ts';
import { acceptInvite, requireInvite, type Acceptance } from '../invites/invites.ts';
import type { OpenedFrom } from '../sign-in/begin-session.ts';
import { signInWithPasskey } from '../sign-in/passkey-sign-in.ts';
import { passwordAttempt, takeChallengeRequest } from '../sign-in/sign-in-attempts.ts';
import { signIn } from '../sign-in/sign-in.ts';
import type { StaffDeps } from '../staff-deps.ts';

/** Callers who are not signed in may use only a few of the database's connections. */
const GUESTS = { atOnceMax: 2, waitingMax: 500, waitMaxMs: 3_000 };

const fromOf = (request: FastifyRequest, { config }: StaffDeps): OpenedFrom => ({
  networkAddress: request.ip,
  userAgent: request.headers['user-agent'],
  requestId: request.id,
  endingToken: readSessionCookie(config.console, request.headers.cookie),
});

/** Staff share the hashing queue with the wallet's users, as a separate kind of caller. */
const hashingCaller = ({ ip }: FastifyRequest, account: string): Caller => [
  'staff',
  ...networkCaller(ip),
  account,
];

const setCookie = (reply: FastifyReply, { config }: StaffDeps, token: string): void =>
  void reply.header('set-cookie', sessionCookie(config.console, token));

function registerInviteRoutes(app: FastifyInstance, deps: StaffDeps, gate: Gate): void {
  const { passwords, relyingParty } = deps;

  consoleEndpoint(app, deps, consoleApi.invite, async ({ body: { code }, request }) => {
    const invite = await gate(networkCaller(request.ip), () => requireInvite(deps, code));
    return {
      email: invite.email,
      name: invite.name,
      organisation: invite.organisation,
      roles: [...invite.roles],
      expires_at: invite.expiresAt.toISOString(),
      has_passkeys: relyingParty !== undefined,
    };
  });

  consoleEndpoint(app, deps, consoleApi.invitePasskeyOptions, ({ body, request }) =>
    gate(networkCaller(request.ip), async () => {
      const { staffId, email } = await requireInvite(deps, body.code);
      return newPasskeyOptions(deps, { staffId, email, name: body.name });
    }),
  );

  consoleEndpoint(app, deps, consoleApi.acceptInvite, async ({ body, request, reply }) => {
    const { code, name, password, passkey, passkey_name: passkeyName } = body;
    const { staffId } = await gate(networkCaller(request.ip), () => requireInvite(deps, code));
    let proof: Acceptance['proof'];
    if (passkey !== undefined) {
      proof = { passkey: await judgeNewPasskey(deps, staffId, passkey), passkeyName };
    } else {
      // The schema requires exactly one of the two.
      invariant(password !== undefined, 'an invite is accepted with a password or a passkey');
      const hash = () => passwords.hash(password);
      proof = { passwordHash: await passwords.line(hashingCaller(request, staffId), hash) };
    }
    const token = await acceptInvite(deps, { code, name, proof, from: fromOf(request, deps) });
    setCookie(reply, deps, token);
    return { is_enrolled: 'passkey' in proof };
  });
}

export function registerSignInRoutes(app: FastifyInstance, deps: StaffDeps): void {
  const { db, passwords } = deps;
  const gate = createGate(GUESTS);

  consoleEndpoint(app, deps, consoleApi.signIn, async ({ body, request, reply }) => {
    const { email, password, code } = body;
    const caller = hashingCaller(request, email);
    const attempt = passwordAttempt(deps, email, request.ip);
    await gate(caller, () => requireAttemptNow(db, deps, attempt));
    const from = fromOf(request, deps);
    const { token, isEnrolled } = await passwords.line(caller, () =>
      signIn(deps, { email, password, code }, { attempt, from }),
    );
    setCookie(reply, deps, token);
    return { is_enrolled: isEnrolled };
  });

  consoleEndpoint(app, deps, consoleApi.passkeySignInOptions, ({ request }) =>
    gate(networkCaller(request.ip), async () => {
      await takeChallengeRequest(db, deps, request.ip);
      return signInOptions(deps);
    }),
  );

  consoleEndpoint(app, deps, consoleApi.passkeySignIn, async ({ body, request, reply }) => {
    const from = fromOf(request, deps);
    const token = await gate(networkCaller(request.ip), () =>
      signInWithPasskey(deps, body.passkey, from),
    );
    setCookie(reply, deps, token);
    return { is_enrolled: true };
  });

  registerInviteRoutes(app, deps, gate);
}

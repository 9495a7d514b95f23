import type { FastifyInstance, FastifyRequest } from 'fastify';
import { api } from '@athos/contract/api';
import { bearerToken, endpoint } from '../../platform/http/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { callerOf, networkCaller, type Caller } from '../../platform/limits/caller.ts';
import { createGate, type Gate } from '../../platform/limits/gate.ts';
import { registerConfirmationRoutes } from './confirmation/confirmation.routes.ts';
import { deleteAccount, findRepeatingDeleter } from './deletion/account-deletion.ts';
import type { AuthDeps } from './identity-deps.ts';
import { takeMailRequest } from './links/mail-requests.ts';
import { deviceOf } from './sign-in/device.ts';
import { registerPasskeyRoutes } from './passkeys/passkeys.routes.ts';
import { changePassword } from './passwords/password-change.ts';
import { requestReset, requireReset, resetPassword } from './passwords/password-reset.ts';
import { registerRecoveryRoutes } from './recovery/recovery.routes.ts';
import { registerSecondStepRoutes } from './second-step/second-step.routes.ts';
import { registerSessionRoutes } from './sessions/own-sessions.routes.ts';
import { planAttempt } from './sign-in/sign-in-limits.ts';
import { signIn } from './sign-in/sign-in.ts';
import { signUp } from './sign-up/sign-up.ts';
import { openAccount, requirePassword, requireSignUp } from './sign-up/verify-sign-up.ts';
import { acceptTerms, readTerms } from './terms/accept-terms.ts';
import { selectUser } from './users.sql.ts';

const KEYS_CACHE = 'public, max-age=300';
/** For responses that contain a token. */
const NO_STORE = 'no-store';
const ACCEPTED = { success: true } as const;
/** Requests that hash a password may queue (platform/keys/passwords.ts). Below the client's 10 s timeout. */
const HASHING = { answerWithinMs: 9_000 } as const;
/** Callers who are not signed in may use only a few of the database's connections. */
const LINKS = { atOnceMax: 2, waitingMax: 2_000, waitMaxMs: 3_000 };
/** The same applies to callers with a token whose session has ended. */
const REPLAYS = { atOnceMax: 1, waitingMax: 2_000, waitMaxMs: 3_000 };

/**
 * The caller in the queues for hashing and for connections. Kinds of requests take turns first, so that no number of network places can
 * keep known devices from signing in by flooding sign-ups or guesses; then network places take turns, and then the accounts at a place.
 */
const accountCaller = (
  { ip }: FastifyRequest,
  what: 'sign-up' | 'forgot' | 'link' | 'sign-in' | 'known device' | 'reset' | 'owner',
  account: string,
): Caller => [what, ...networkCaller(ip), account];

const linkCaller = (request: FastifyRequest, what: 'verify' | 'reset'): Caller => [
  what,
  ...callerOf(request),
];

function registerProfileRoute(app: FastifyInstance, deps: AuthDeps): void {
  endpoint(app, deps, api.profile, async ({ user, reply }) => {
    const found = await selectUser(deps.db, user.userId);
    // The account was deleted after the token was checked.
    if (found === undefined || found.email === null) throw new AppError('session_ended');
    reply.header('cache-control', NO_STORE);
    return { uuid: found.uuid, email: found.email };
  });
}

function registerKeysRoute(app: FastifyInstance, deps: AuthDeps): void {
  endpoint(app, deps, api.jwks, ({ reply }) => {
    reply.header('cache-control', KEYS_CACHE);
    return { keys: [...deps.qrKeys.jwks] };
  });
}

/** Calls that require a proof that it is the signed-in user. */
function registerOwnerRoutes(app: FastifyInstance, deps: AuthDeps): void {
  registerConfirmationRoutes(app, deps);
  const { config, passwords, sessions } = deps;
  const replayGate = createGate(REPLAYS);

  endpoint(
    app,
    deps,
    { ...api.updatePassword, ...HASHING },
    async ({ body, user: { userId, sessionId }, key, request }) => {
      const { old_password: oldPassword, password: newPassword } = body;
      const device = deviceOf(request, config.hashingKeys);
      const from = { userId, sessionId, key, networkAddress: request.ip, device };
      await passwords.line(accountCaller(request, 'owner', `${userId}`), () =>
        changePassword(deps, from, { oldPassword, newPassword }),
      );
      return ACCEPTED;
    },
  );

  endpoint(
    app,
    deps,
    {
      ...api.deleteAccount,
      ...HASHING,
      async findRepeating(token, key) {
        const userUuid = await sessions.ownerUuid(token);
        return replayGate([userUuid], () => findRepeatingDeleter(deps, userUuid, key));
      },
    },
    async ({ body: { password }, user: { userId }, key, request }) => {
      const device = deviceOf(request, config.hashingKeys);
      const from = { userId, key, networkAddress: request.ip, device };
      await passwords.line(accountCaller(request, 'owner', `${userId}`), () =>
        deleteAccount(deps, from, password),
      );
      return ACCEPTED;
    },
  );
}

function registerSignUpRoutes(app: FastifyInstance, deps: AuthDeps, linkGate: Gate): void {
  const { config, db, passwords } = deps;

  endpoint(app, deps, { ...api.register, ...HASHING }, async ({ body, request }) => {
    const { email, password, terms_version: termsVersion } = body;
    const caller = accountCaller(request, 'sign-up', email);
    const device = deviceOf(request, config.hashingKeys);
    const from = { email, networkAddress: request.ip, device };
    const priority = await linkGate(caller, () => takeMailRequest(db, deps, from));
    await passwords.line(caller, () => signUp(deps, { ...from, password, termsVersion, priority }));
    return ACCEPTED;
  });

  endpoint(app, deps, { ...api.verify, ...HASHING }, async ({ body, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const { code, password } = body;
    const device = deviceOf(request, config.hashingKeys);
    const guess = await linkGate(linkCaller(request, 'verify'), () =>
      requireSignUp(deps, { code, password, device }),
    );
    if (guess !== undefined) {
      await passwords.line(accountCaller(request, 'link', `${guess.signUpId}`), () =>
        requirePassword(deps, guess),
      );
    }
    const { token, userUuid } = await linkGate(linkCaller(request, 'verify'), () =>
      openAccount(deps, code, device),
    );
    return { token, uuid: userUuid };
  });
}

export function registerIdentityRoutes(app: FastifyInstance, deps: AuthDeps): void {
  const { config, db, passwords, sessions } = deps;
  const linkGate = createGate(LINKS);

  registerSignUpRoutes(app, deps, linkGate);

  endpoint(
    app,
    deps,
    { ...api.login, ...HASHING },
    async ({ body: { email, password }, request, reply }) => {
      reply.header('cache-control', NO_STORE);
      const device = deviceOf(request, config.hashingKeys);
      const stranger = accountCaller(request, 'sign-in', email);
      const attempt = await linkGate(stranger, () =>
        planAttempt(db, deps, email, { networkAddress: request.ip, device }),
      );
      // A known device does not queue behind others who try the same account.
      const caller =
        attempt.networks.length === 0
          ? accountCaller(request, 'known device', `${attempt.delayed[0]?.toString('hex')}`)
          : stranger;
      const { token, userUuid } = await passwords.line(caller, () =>
        signIn(deps, { email, password, device, attempt }),
      );
      return { token, uuid: userUuid };
    },
  );

  endpoint(app, deps, api.refreshJwt, async ({ query, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const given = query.token ?? bearerToken(request);
    if (given === undefined) throw new AppError('unauthenticated');
    const { token, userUuid } = await sessions.refresh(given);
    return { token, uuid: userUuid };
  });

  endpoint(app, deps, api.terms, ({ user, reply }) => {
    reply.header('cache-control', NO_STORE);
    return readTerms(deps, user.userId);
  });

  endpoint(app, deps, api.acceptTerms, async ({ user, body }) => {
    const { version, acceptedAt } = await acceptTerms(deps, user.userId, body.version);
    return { version, accepted_at: acceptedAt.toISOString() };
  });

  endpoint(app, deps, api.logout, async ({ user, query }) => {
    await db.transaction().execute((tx) => sessions.signOut(tx, user, query.reason));
    return ACCEPTED;
  });

  endpoint(app, deps, api.forgotPassword, async ({ body: { email }, request }) => {
    const device = deviceOf(request, config.hashingKeys);
    await linkGate(accountCaller(request, 'forgot', email), async () => {
      const from = { email, networkAddress: request.ip, device };
      await requestReset(deps, email, await takeMailRequest(db, deps, from));
    });
    return ACCEPTED;
  });

  endpoint(app, deps, { ...api.resetPassword, ...HASHING }, async ({ body, request }) => {
    const { code, new_password: newPassword } = body;
    const userId = await linkGate(linkCaller(request, 'reset'), () =>
      requireReset(deps, { code, newPassword }),
    );
    await passwords.line(accountCaller(request, 'reset', `${userId}`), () =>
      resetPassword(deps, { code, newPassword }),
    );
    return ACCEPTED;
  });

  registerProfileRoute(app, deps);
  registerKeysRoute(app, deps);
  registerOwnerRoutes(app, deps);
  registerSessionRoutes(app, deps);
  registerSecondStepRoutes(app, deps, linkGate);
  registerRecoveryRoutes(app, deps, linkGate);
  registerPasskeyRoutes(app, deps, linkGate);
}

/** Answers of the API that a running system rarely gives: typed by the contract, so that none can be impossible. */
import { api, type CallName, type AnswerOf } from '@athos/contract/api';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { API_PREFIX } from '@athos/contract/call';
import type { BrowserContext, Route } from '@playwright/test';

/** What answers a call: the contract's answer, an error of it, or nothing for as long as the page is there. */
export type Answer<Name extends CallName> =
  AnswerOf<Name> | { readonly problem: ErrorCode } | 'never' | 'connection lost';

export type Answers = { readonly [Name in CallName]?: Answer<Name> };

const isOneOf = (answers: Answers, name: string): name is CallName => name in answers;

export async function answerCalls(context: BrowserContext, answers: Answers): Promise<void> {
  for (const name of Object.keys(api)) {
    if (!isOneOf(answers, name)) continue;
    const { method, path } = api[name];
    const address = new RegExp(`${API_PREFIX}${path.replace(/:\w+/, '[^/?]+')}(\\?.*)?$`);
    await context.route(address, (route) =>
      route.request().method() === method ? answer(route, answers[name]) : route.fallback(),
    );
  }
}

async function answer(route: Route, given: Answers[CallName]): Promise<void> {
  if (given === 'never') return;
  if (given === 'connection lost') return route.abort('connectionfailed');
  if (typeof given === 'object' && 'problem' in given) {
    const code = given.problem;
    const { status, title } = ERRORS[code];
    const body = { type: 'about:blank', code, status, title, detail: title, request_id: 'screens' };
    return route.fulfill({ status, contentType: 'application/problem+json', json: body });
  }
  return route.fulfill({ json: given });
}

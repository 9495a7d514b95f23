import type { BrowserContext, Page } from '@playwright/test';
import type { Handlers } from '../fake-api.ts';

/** A screen in one of its states, opened with responses of the fake API. */
export interface ScreenState {
  /** `screen/state`: the title of its test, and the folder and file of its screenshots. */
  readonly name: `${string}/${string}`;
  readonly path: string;
  /** Nobody is signed in to the wallet. */
  readonly isVisitor?: true;
  /** Responses that differ from `filledAnswers`. */
  readonly answers?: Handlers;
  /** The browser's storage before the start. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Called with the context before anything loads. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** Steps from the opened screen to the state. */
  readonly reach?: (page: Page) => Promise<unknown>;
  /** The start stays at the splash; `reach` waits for what appears instead. */
  readonly staysSplash?: true;
  /** The screen leaves the state after about a second, which is enough for a screenshot but not for an audit. */
  readonly isBrief?: true;
  /** Widths of its screenshots in CSS pixels. Defaults to a phone and a desktop. */
  readonly widths?: readonly number[];
  /** Its screenshots show the whole page, not only the viewport. */
  readonly isWhole?: true;
}

type Fields = Omit<ScreenState, 'name'>;

/** The states of one screen by name, each merged with their shared settings. */
export const statesOf = (
  screen: string,
  shared: Fields,
  states: Readonly<Record<string, Partial<Fields>>>,
): readonly ScreenState[] =>
  Object.entries(states).map(([state, fields]) => ({
    ...shared,
    ...fields,
    name: `${screen}/${state}`,
    answers: { ...shared.answers, ...fields.answers },
  }));

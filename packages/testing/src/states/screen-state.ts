import type { BrowserContext, Page } from '@playwright/test';
import type { Handlers } from '../fake-api.ts';

/** A screen in one of its states, opened on answers of the fake API. */
export interface ScreenState {
  /** `screen/state`: the title of its test, and the folder and file of its pictures. */
  readonly name: `${string}/${string}`;
  readonly path: string;
  /** Nobody is signed in to the wallet. */
  readonly isVisitor?: true;
  /** Answers that differ from `filledAnswers`. */
  readonly answers?: Handlers;
  /** What the browser has stored before. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Called with the context before anything is loaded. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** From the opened screen to the state. */
  readonly reach?: (page: Page) => Promise<unknown>;
  /** The start does not get past the splash by itself; `reach` waits for what comes instead. */
  readonly staysSplash?: true;
  /** The screen leaves the state by itself within about a second: time for a picture, not for an audit. */
  readonly isBrief?: true;
  /** Widths of its pictures in CSS pixels; a phone and a desktop by default. */
  readonly widths?: readonly number[];
  /** Its pictures show the whole page, not only the part within the window. */
  readonly isWhole?: true;
}

type Fields = Omit<ScreenState, 'name'>;

/** The states of one screen by name, each with what they share. */
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

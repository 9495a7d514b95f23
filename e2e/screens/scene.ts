import type { Page } from '@playwright/test';
import type { Stage } from './stage.ts';

/** One state of one screen. */
export interface Scene {
  /** Heading of the contact sheet, and folder. */
  readonly screen: string;
  /** What distinguishes it from the others of its screen; the name of its files. */
  readonly state: string;
  /** In CSS pixels. */
  readonly widths?: readonly number[];
  /** The whole page instead of the part that the window shows. */
  readonly isWhole?: true;
  /** Opens a page and brings it into the state. */
  readonly show: (stage: Stage) => Promise<Page>;
}

/** The scenes of one screen, by state. */
export const scenesOf = (
  screen: string,
  states: Record<string, Scene['show'] | Omit<Scene, 'screen' | 'state'>>,
): readonly Scene[] =>
  Object.entries(states).map(([state, scene]) => ({
    screen,
    state,
    ...(typeof scene === 'function' ? { show: scene } : scene),
  }));

import type { Appearance, FrameAnswer, FrameAsk, FrameCommand, FrameNews } from '../protocol.ts';
import { connectionError, sandboxOrigin } from './api.ts';

const loadDeadlineMs = 10_000;
const firstHeightPixels = 222;

type AskWithoutId = FrameAsk extends infer Ask
  ? Ask extends FrameAsk
    ? Omit<Ask, 'askId'>
    : never
  : never;

export interface FrameOptions {
  appearance: Appearance;
  defaultCountry: string;
  onNews: (news: FrameNews) => void;
  onLoadError: () => void;
}

/** Whether the page's colours are dark; the frame's native controls then use the dark scheme. */
function isDark(appearance: Appearance): boolean {
  const probe = document.createElement('canvas').getContext('2d');
  const colour = appearance.variables?.['colorText'];
  if (probe === null || colour === undefined) return appearance.theme === 'night';
  probe.fillStyle = '#000000';
  probe.fillStyle = colour;
  const value = Number.parseInt(String(probe.fillStyle).slice(1, 7), 16);
  const light = ((value >> 16) & 255) * 0.3 + ((value >> 8) & 255) * 0.59 + (value & 255) * 0.11;
  return light > 140;
}

/**
 * The solid colour behind the frame, or an empty string if there is none (a gradient, an image). The frame paints it too,
 * because tools that measure contrast look only at the frame's own document.
 */
export function readBackdrop(frame: HTMLElement): string {
  for (let node: HTMLElement | null = frame.parentElement; node; node = node.parentElement) {
    const { backgroundColor, backgroundImage } = getComputedStyle(node);
    if (backgroundImage !== 'none') return '';
    const isOpaque = backgroundColor.startsWith('rgb(');
    if (isOpaque) return backgroundColor;
    if (!/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)) return '';
  }
  return '';
}

/**
 * The iframe with the card fields. Page and frame exchange messages only, and each checks the other's origin; the
 * card number never leaves the frame. Styles are set through the CSSOM, so that a page whose policy forbids inline
 * styles can embed it.
 */
export class CardFrame {
  readonly element: HTMLIFrameElement;
  readonly #options: FrameOptions;
  readonly #answers = new Map<number, (answer: FrameAnswer) => void>();
  #queue: FrameCommand[] = [];
  #isLoaded = false;
  #askCount = 0;
  #deadline = 0;

  constructor(options: FrameOptions) {
    this.#options = options;
    const scheme = isDark(options.appearance) ? 'dark' : 'light';
    const frame = document.createElement('iframe');
    frame.title = 'Secure payment input frame';
    frame.name = `__privateStripeFrame${Math.random().toString(36).slice(2)}`;
    frame.src = `${sandboxOrigin}/elements/payment?scheme=${scheme}`;
    frame.allow = 'payment *';
    frame.scrolling = 'no';
    const { style } = frame;
    style.border = '0';
    style.display = 'block';
    style.width = '100%';
    style.height = `${firstHeightPixels}px`;
    style.background = 'transparent';
    // Browsers keep a frame transparent only if its colour scheme equals the page's.
    style.colorScheme = scheme;
    this.element = frame;
  }

  mount(container: HTMLElement): void {
    window.addEventListener('message', this.#hear);
    this.#deadline = window.setTimeout(() => this.#failLoading(), loadDeadlineMs);
    container.replaceChildren(this.element);
  }

  destroy(): void {
    window.removeEventListener('message', this.#hear);
    window.clearTimeout(this.#deadline);
    this.element.remove();
    this.#refuseAll({ type: 'api_error', message: 'The payment form was closed.' });
  }

  /** Sends a command, or queues it until the frame has loaded. */
  tell(command: FrameCommand): void {
    if (!this.#isLoaded) {
      this.#queue.push(command);
      return;
    }
    this.element.contentWindow?.postMessage(command, sandboxOrigin);
  }

  ask(ask: AskWithoutId): Promise<FrameAnswer> {
    this.#askCount += 1;
    const askId = this.#askCount;
    return new Promise((resolve) => {
      this.#answers.set(askId, resolve);
      this.tell({ ...ask, askId });
    });
  }

  readonly #hear = (event: MessageEvent): void => {
    const isOurs = event.origin === sandboxOrigin && event.source === this.element.contentWindow;
    if (!isOurs) return;
    const news: FrameNews = event.data;
    if (news.type === 'loaded') this.#begin();
    else if (news.type === 'height') this.element.style.height = `${news.heightPixels}px`;
    else if (news.type === 'answer') {
      this.#answers.get(news.askId)?.(news.answer);
      this.#answers.delete(news.askId);
    }
    this.#options.onNews(news);
  };

  #begin(): void {
    window.clearTimeout(this.#deadline);
    this.#isLoaded = true;
    const { appearance, defaultCountry } = this.#options;
    this.tell({ type: 'init', appearance, defaultCountry, backdrop: readBackdrop(this.element) });
    const waiting = this.#queue;
    this.#queue = [];
    for (const command of waiting) this.tell(command);
  }

  #failLoading(): void {
    this.#queue = [];
    this.#refuseAll(connectionError());
    this.#options.onLoadError();
  }

  #refuseAll(error: NonNullable<FrameAnswer['error']>): void {
    for (const answer of this.#answers.values()) answer({ error });
    this.#answers.clear();
  }
}

import type { FrameAnswer, FrameAsk, FrameCommand, FrameNews } from '../protocol.ts';
import { applyAppearance, applyScheme } from './appearance.ts';
import { CardForm } from './card-form.ts';
import { describeMethod, postForm } from './card-request.ts';

/** Shows the card fields and exchanges messages with the embedding page only. */
function startFrame(): void {
  // Set by the page's first message. Until then the frame sends only "loaded", which carries no data.
  let pageOrigin: string | null = null;
  const tell = (news: FrameNews): void => {
    if (pageOrigin !== null) window.parent.postMessage(news, pageOrigin);
  };
  const form = new CardForm({
    onChange: () => {
      const { country, postalCode } = form.values();
      tell({
        type: 'change',
        isEmpty: form.isEmpty(),
        isComplete: form.isComplete(),
        country,
        postalCode,
      });
    },
    onFocus: () => tell({ type: 'focus' }),
    onBlur: () => tell({ type: 'blur' }),
  });

  window.addEventListener('message', (event: MessageEvent) => {
    if (event.source !== window.parent) return;
    if (pageOrigin !== null && event.origin !== pageOrigin) return;
    pageOrigin = event.origin;
    obey(form, event.data, tell);
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell({ type: 'escape' });
  });
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    tell({ type: 'submit' });
  });
  document.addEventListener('keydown', (event) => {
    // Browsers do not submit a form that has several fields and no button, so Enter is handled here.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) tell({ type: 'submit' });
  });
  new ResizeObserver(() => {
    const heightPixels = Math.ceil(document.body.getBoundingClientRect().height);
    tell({ type: 'height', heightPixels });
  }).observe(document.body);
  window.parent.postMessage({ type: 'loaded' } satisfies FrameNews, '*');
}

function obey(form: CardForm, command: FrameCommand, tell: (news: FrameNews) => void): void {
  switch (command.type) {
    case 'init':
    case 'update':
      applyAppearance(command.appearance, command.backdrop);
      if (command.defaultCountry !== '') form.setCountry(command.defaultCountry);
      tell({
        type: 'height',
        heightPixels: Math.ceil(document.body.getBoundingClientRect().height),
      });
      break;
    case 'focus':
      form.focus();
      break;
    case 'blur':
      form.blur();
      break;
    case 'clear':
      form.clear();
      break;
    case 'validate':
    case 'confirm':
    case 'create':
      void answerAsk(form, command).then((answer) =>
        tell({ type: 'answer', askId: command.askId, answer }),
      );
  }
}

async function answerAsk(form: CardForm, ask: FrameAsk): Promise<FrameAnswer> {
  const error = form.validate();
  if (error !== null) return { error };
  if (ask.type === 'validate') return {};
  // The page chooses the path: allow only the public API of this origin.
  if (!ask.path.startsWith('/v1/payment_')) return {};
  const prefix = ask.type === 'confirm' ? 'payment_method_data' : '';
  return postForm(ask.path, { ...ask.parameters, ...describeMethod(form.values(), prefix) });
}

applyScheme();
document.addEventListener('DOMContentLoaded', startFrame);

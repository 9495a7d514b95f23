/**
 * The notice that every screen shows in a rehearsal (`config/rehearsal.ts`). The server writes it into the pages, so that the apps need
 * no code for rehearsals, and no state of an app can hide the notice.
 */
import type { FastifyInstance } from 'fastify';
import { m } from '@athos/messages/messages';

const STYLE_PATH = '/rehearsal.css';

/** A small tab at the upper edge, above dialogs, which takes no clicks. The console's policy allows no inline style. */
const STYLE = `#rehearsal {
  position: fixed;
  inset-block-start: 0;
  inset-inline: 0;
  z-index: 100;
  inline-size: fit-content;
  margin-inline: auto;
  padding-inline: 0.75rem;
  border-end-start-radius: var(--radius-dense);
  border-end-end-radius: var(--radius-dense);
  background: var(--brand-card-from);
  color: var(--brand-card-ink);
  font-size: min(var(--text-caption), 6vw);
  font-weight: 600;
  line-height: 1.4;
  text-align: center;
  pointer-events: none;
}
`;

/** Adds the notice to a page. It is a landmark of its own, outside the element in which the app renders. */
export function markRehearsal(page: string): string {
  const notice = `<aside id="rehearsal">${m.common_rehearsal()}</aside>`;
  return page
    .replace('</head>', `<link rel="stylesheet" href="${STYLE_PATH}" /></head>`)
    .replace(/<body[^>]*>/, (body) => body + notice);
}

export function registerRehearsalStyle(app: FastifyInstance): void {
  app.get(STYLE_PATH, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
  );
}

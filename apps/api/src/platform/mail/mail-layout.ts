/**
 * One layout for every mail, as HTML and as text. Mail clients support little CSS, so tables make the layout, styles are inline,
 * and dark colours use a media query where it is supported. Every value is escaped here.
 */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';

export interface MailContent {
  readonly subject: string;
  /** Plain sentences, one paragraph each. */
  readonly paragraphs: readonly string[];
  /** Label and value, such as the lines of a receipt. The last one is emphasised. */
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly button?: { readonly label: string; readonly url: string };
  /** A less prominent sentence at the end, such as what to do if this was not you. */
  readonly note?: string;
}

interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const { light, dark, card } = brand.colours;

const DARK_STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${dark.ground}!important}
.sheet{background:${dark.surface}!important;border-color:${dark.line}!important}
.ink{color:${dark.ink}!important}
.quiet{color:${dark.inkQuiet}!important}
.link{color:${dark.accentText}!important}
.button{background:${dark.primary}!important;color:${dark.primaryInk}!important}
.rule{border-color:${dark.line}!important}
}
@media (max-width:480px){.pad{padding-left:24px!important;padding-right:24px!important}}`;

const paragraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:25px;color:${light.ink}">${escapeHtml(text)}</p>`;

function buttonHtml({ label, url }: NonNullable<MailContent['button']>): string {
  const href = escapeHtml(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:12px 0 28px"><tr><td>
<a class="button" href="${href}" style="display:inline-block;padding:15px 30px;border-radius:14px;background:${light.primary};color:${light.primaryInk};font-size:16px;font-weight:600;line-height:20px;text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p class="quiet" style="margin:0 0 4px;font-size:13px;line-height:20px;color:${light.inkQuiet}">${escapeHtml(m.mail_link_hint())}</p>
<p style="margin:0 0 20px;font-size:13px;line-height:20px;word-break:break-all"><a class="link" href="${href}" style="color:${light.accentText}">${href}</a></p>`;
}

function factsHtml(facts: NonNullable<MailContent['facts']>): string {
  const rows = facts.map(([label, value], index) => {
    const weight = index === facts.length - 1 ? 700 : 400;
    const cell = `padding:10px 0;border-top:1px solid ${light.line};font-size:15px;line-height:22px;overflow-wrap:anywhere`;
    return `<tr><td class="quiet rule" style="${cell};color:${light.inkQuiet}">${escapeHtml(label)}</td><td class="ink rule" align="right" style="${cell};color:${light.ink};font-weight:${weight}">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;border-collapse:collapse;font-variant-numeric:tabular-nums">${rows.join('')}</table>`;
}

const footerText = (): string =>
  m.mail_footer({ programme: brand.programmeName, support: brand.supportAddress });
const imprint = `${brand.legalName}, ${brand.postalAddress}`;

function renderHtml({ subject, paragraphs, facts, button, note }: MailContent): string {
  const preview = paragraphs[0] ?? '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${DARK_STYLE}</style></head>
<body class="ground" style="margin:0;padding:0;background:${light.ground};font-family:${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground}"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" class="sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${light.surface};border:1px solid ${light.line};border-radius:20px;border-collapse:separate;overflow:hidden">
<tr><td class="pad" bgcolor="${card.from}" style="padding:28px 40px;background:linear-gradient(120deg,${card.from},${card.to});border-radius:19px 19px 0 0;color:${card.ink};font-size:20px;font-weight:700;letter-spacing:-.2px">${escapeHtml(brand.programmeName)}</td></tr>
<tr><td class="pad" style="padding:36px 40px 20px">
<h1 class="ink" style="margin:0 0 20px;font-size:24px;line-height:31px;letter-spacing:-.4px;color:${light.ink}">${escapeHtml(subject)}</h1>
${[m.mail_greeting(), ...paragraphs].map(paragraph).join('\n')}
${facts === undefined ? '' : factsHtml(facts)}
${button === undefined ? '' : buttonHtml(button)}
${note === undefined ? '' : `<p class="quiet" style="margin:0 0 16px;font-size:14px;line-height:22px;color:${light.inkQuiet}">${escapeHtml(note)}</p>`}
${paragraph(m.mail_signature({ brand: brand.name }))}
</td></tr></table>
<p class="quiet" style="max-width:480px;margin:24px auto 0;font-size:12px;line-height:19px;color:${light.inkQuiet}">${escapeHtml(footerText())}<br>${escapeHtml(imprint)}</p>
</td></tr></table>
</body></html>
`;
}

function renderText({ paragraphs, facts, button, note }: MailContent): string {
  return `${[
    m.mail_greeting(),
    ...paragraphs,
    ...(facts === undefined
      ? []
      : [facts.map(([label, value]) => `${label}: ${value}`).join('\n')]),
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...(note === undefined ? [] : [note]),
    m.mail_signature({ brand: brand.name }),
    `-- \n${footerText()}\n${imprint}`,
  ].join('\n\n')}\n`;
}

/** Renders the subject, text and HTML of a mail. */
export const renderMail = (content: MailContent): RenderedMail => ({
  subject: content.subject,
  text: renderText(content),
  html: renderHtml(content),
});

const dateFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats a time like `November 21, 2026 at 2:05 PM UTC`, since the reader's time zone is unknown. */
export const formatMailDate = (at: Date): string => `${dateFormat.format(at)} UTC`;

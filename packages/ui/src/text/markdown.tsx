/**
 * Markdown of titles and notes. Each token of marked's lexer becomes an element of an allow-list. Text never becomes
 * HTML, so there is nothing to sanitise. It loads marked (13 kB), so load the screen that uses it with `lazy(() =>
 * import(…))`.
 */
import ExternalLink from 'lucide-react/icons/external-link';
import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { m } from '@athos/messages/messages';
import { textLinkClass } from '../primitives/link.tsx';

/** Elements nested deeper than this are shown as plain source text. */
const DEPTH_MAX = 12;
const SAFE_PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:'];

/** marked's token union ends with a generic token that matches every name. This type keeps the specific ones. */
type KnownToken =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Checkbox
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Def
  | Tokens.Del
  | Tokens.Em
  | Tokens.Escape
  | Tokens.Heading
  | Tokens.HTML
  | Tokens.Hr
  | Tokens.Image
  | Tokens.Link
  | Tokens.List
  | Tokens.ListItem
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Text;

interface Manner {
  /** False inside a link or button, where links become plain text. */
  readonly hasLinks: boolean;
  /** The level of the text's highest heading. */
  readonly headingLevel: number;
  readonly depth: number;
}

/** A note: paragraphs, lists, headings, quotes, tables, external links. Headings start at `headingLevel`. */
export function Markdown({ text, headingLevel = 2 }: { text: string; headingLevel?: number }) {
  const tokens = Lexer.lex(text);
  const depths = tokens.flatMap((token) =>
    token.type === 'heading' ? [token.depth as number] : [],
  );
  const shift = headingLevel - Math.min(...depths, 6);
  return (
    <div className="text-body flex flex-col gap-3 text-pretty break-words">
      {renderAll(tokens, { hasLinks: true, headingLevel: shift, depth: 0 })}
    </div>
  );
}

/** A title: emphasis and code, no blocks. Links become plain text unless `hasLinks`. */
export function InlineMarkdown({ text, hasLinks = false }: { text: string; hasLinks?: boolean }) {
  return renderAll(Lexer.lexInline(text.trim()), { hasLinks, headingLevel: 0, depth: 0 });
}

/** Returns a title without its markup, for accessible names and for searching. */
export const plainText = (markdown: string): string =>
  wordsOf(Lexer.lexInline(markdown.trim())).replaceAll(/\s+/g, ' ').trim();

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) {
        return wordsOf(token.tokens);
      }
      if (token.type === 'br') return ' ';
      return 'text' in token ? (token.text as string) : token.raw;
    })
    .join('');
}

/** Returns an absolute address with a safe protocol; `undefined` for any other. */
export function safeAddress(href: string): string | undefined {
  try {
    const url = new URL(href);
    return SAFE_PROTOCOLS.includes(url.protocol) ? url.href : undefined;
  } catch {
    // A relative address. External links must be absolute.
    return undefined;
  }
}

function renderAll(tokens: readonly Token[] | undefined, manner: Manner): ReactNode {
  const deeper = { ...manner, depth: manner.depth + 1 };
  return tokens?.map((token, index) => (
    <Fragment key={index}>
      {manner.depth < DEPTH_MAX ? render(token as KnownToken, deeper) : token.raw}
    </Fragment>
  ));
}

function render(token: KnownToken, manner: Manner): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'br':
      return <br />;
    case 'hr':
      return <hr className="border-line" />;
    case 'strong':
      return <strong className="font-semibold">{renderAll(token.tokens, manner)}</strong>;
    case 'em':
      return <em>{renderAll(token.tokens, manner)}</em>;
    case 'del':
      return <del>{renderAll(token.tokens, manner)}</del>;
    case 'codespan':
      return <code className="font-code text-[0.9em]">{token.text}</code>;
    case 'paragraph':
      return <p>{renderAll(token.tokens, manner)}</p>;
    case 'heading':
      return <Heading token={token} manner={manner} />;
    case 'list':
      return <ListOf token={token} manner={manner} />;
    case 'blockquote':
      return (
        <blockquote className="border-line-strong text-ink-quiet flex flex-col gap-3 border-l-2 pl-4">
          {renderAll(token.tokens, manner)}
        </blockquote>
      );
    case 'code':
      return (
        <pre className="bg-sunken rounded-small font-code text-caption overflow-x-auto p-3">
          {token.text}
        </pre>
      );
    case 'table':
      return <TableOf token={token} manner={manner} />;
    case 'link':
      return <LinkOut token={token} manner={manner} />;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'list_item':
    case 'text':
      return token.tokens === undefined ? token.text : renderAll(token.tokens, manner);
    // A picture shows its alternative text, because nothing is fetched from other origins. HTML is shown as source
    // text.
    case 'image':
    case 'html':
    case 'escape':
      return token.text;
  }
}

type Part<Of> = { token: Of; manner: Manner };

function Heading({ token, manner }: Part<Tokens.Heading>) {
  const level = Math.min(6, Math.max(2, token.depth + manner.headingLevel));
  const Tag = `h${level}` as 'h2';
  return <Tag className="text-lead pt-1 font-semibold">{renderAll(token.tokens, manner)}</Tag>;
}

function ListOf({ token, manner }: Part<Tokens.List>) {
  const items = token.items.map((item, index) => (
    <li key={index}>{renderAll(item.tokens, manner)}</li>
  ));
  if (!token.ordered) return <ul className="flex list-disc flex-col gap-1 pl-5">{items}</ul>;
  return (
    <ol
      className="flex list-decimal flex-col gap-1 pl-5"
      {...(token.start !== '' && { start: token.start })}
    >
      {items}
    </ol>
  );
}

function TableOf({ token, manner }: Part<Tokens.Table>) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col" className="border-line border-b py-2 pr-4 font-semibold">
                {renderAll(cell.tokens, manner)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} className="border-line border-b py-2 pr-4">
                  {renderAll(cell.tokens, manner)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LinkOut({ token, manner }: Part<Tokens.Link>) {
  const words = renderAll(token.tokens, { ...manner, hasLinks: false });
  const address = manner.hasLinks ? safeAddress(token.href) : undefined;
  if (address === undefined) return words;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={textLinkClass}>
      {words}
      <ExternalLink size={14} aria-hidden className="ml-1 inline align-baseline" />
      <span className="sr-only">{` (${m.common_opens_new_window()})`}</span>
    </a>
  );
}

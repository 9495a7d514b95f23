import { THEMES, WIDTHS, fileOf } from './picture.ts';
import type { Shot } from './shot.ts';

const style = `
  body { margin: 2rem; background: #808080; font: 1rem system-ui, sans-serif; color: #fff }
  figure { display: inline-block; margin: 0 1.5rem 1.5rem 0; vertical-align: top }
  figcaption { margin-bottom: .5rem }
  img { vertical-align: top; margin-right: .5rem; background: #fff }
  nav a { color: inherit; margin-right: 1rem }
`;

/** Width of a picture on the sheet, in px. */
const shownWidth = (width: number): number => (width < 600 ? 195 : 480);

const screenOf = ({ name }: Shot): string => name.split('/')[0] ?? '';

/** One page with all pictures, by screen. */
export function contactSheet(shots: readonly Shot[]): string {
  const screens = Map.groupBy(shots, screenOf);
  const links = [...screens.keys()].map((screen) => `<a href="#${screen}">${screen}</a>`).join('');
  const sections = [...screens].map(
    ([screen, taken]) =>
      `<section><h2 id="${screen}">${screen}</h2>${taken.map(figure).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>${style}</style>
<h1>Screens</h1><nav>${links}</nav>${sections.join('\n')}</html>\n`;
}

function figure(shot: Shot): string {
  const files = (shot.widths ?? WIDTHS).flatMap((width) =>
    THEMES.map((theme) => ({ file: fileOf(shot, width, theme), width, theme })),
  );
  const images = files.map(
    ({ file, width, theme }) =>
      `<a href="${file}"><img src="${file}" width="${shownWidth(width)}" alt="${shot.name}, ${width} px, ${theme}" loading="lazy"></a>`,
  );
  return `<figure><figcaption>${shot.name}</figcaption>${images.join('')}</figure>`;
}

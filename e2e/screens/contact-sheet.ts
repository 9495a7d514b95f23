import { THEMES, WIDTHS, fileOf } from './picture.ts';
import type { Scene } from './scene.ts';

const style = `
  body { margin: 2rem; background: #808080; font: 1rem system-ui, sans-serif; color: #fff }
  figure { display: inline-block; margin: 0 1.5rem 1.5rem 0; vertical-align: top }
  figcaption { margin-bottom: .5rem }
  img { vertical-align: top; margin-right: .5rem; background: #fff }
  nav a { color: inherit; margin-right: 1rem }
`;

/** Width of a picture on the sheet. */
const shownWidth = (width: number): number => (width < 600 ? 195 : 480);

/** One page with all pictures, by screen. */
export function contactSheet(scenes: readonly Scene[]): string {
  const screens = Map.groupBy(scenes, ({ screen }) => screen);
  const links = [...screens.keys()].map((screen) => `<a href="#${screen}">${screen}</a>`).join('');
  const sections = [...screens].map(
    ([screen, states]) =>
      `<section><h2 id="${screen}">${screen}</h2>${states.map(figure).join('')}</section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>${style}</style>
<h1>Screens</h1><nav>${links}</nav>${sections.join('\n')}</html>\n`;
}

function figure(scene: Scene): string {
  const files = (scene.widths ?? WIDTHS).flatMap((width) =>
    THEMES.map((theme) => ({ file: fileOf(scene, width, theme), width, theme })),
  );
  const images = files.map(
    ({ file, width, theme }) =>
      `<a href="${file}"><img src="${file}" width="${shownWidth(width)}" alt="${scene.state}, ${width} px, ${theme}" loading="lazy"></a>`,
  );
  return `<figure><figcaption>${scene.state}</figcaption>${images.join('')}</figure>`;
}

import type { Plugin } from 'vite';

const ICON_FILE = /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/;
/** Some files only export an icon under a second name. */
const SECOND_NAME = 'export { default } from';
const SHAPES = /\n {2}node: (\[.+?\])(?:,\n {2}aliases: .+?)?\n\};/s;

/** The code of an icon without Lucide; `undefined` if it has no shapes of its own. */
export function iconCode(code: string): string | undefined {
  if (code.includes(SECOND_NAME)) return undefined;
  const [, shapes] = SHAPES.exec(code) ?? [];
  if (shapes === undefined) throw new Error(`Not an icon as Lucide has written them: ${code}`);
  // React needs keys only in lists that change.
  const data = shapes.replaceAll(/, key: "\w+"/g, '');
  return `import { createIcon } from '@athos/ui/primitives/icon';
export default /* @__PURE__ */ createIcon(${data});`;
}

/**
 * Keeps of each Lucide icon only its shapes, which `createIcon` draws. Lucide's own code, which also serves other
 * frameworks and settings that no screen makes, adds 1.5 kB (gzip) to a first page.
 */
export const smallIcons = (): Plugin => ({
  name: 'small-icons',
  apply: 'build',
  transform: {
    filter: { id: ICON_FILE },
    handler(code) {
      const small = iconCode(code);
      return small === undefined ? undefined : { code: small, map: null };
    },
  },
});

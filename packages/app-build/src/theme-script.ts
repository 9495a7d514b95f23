/**
 * Applies the stored theme before the first paint. The app's own code runs later, and the wrong background would flash
 * until then. A test checks that this script does the same as `packages/ui/src/theme/theme.ts`. The page
 * contains it (`page-plugin.ts`), and the server allows it by its hash.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}\n";

/**
 * Shows the stored theme before the first paint. The app's own code runs after it, when a wrong background would already have
 * flashed. A test checks that it does what `packages/ui/src/theme/theme.ts` does. It goes into a file (`page-plugin.ts`)
 * because the content security policy allows nothing inline.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}\n";

/**
 * Shows the stored theme before the first paint: the app's own code comes after it, and a ground of the wrong colour would
 * flash. What it reads and sets is what `packages/ui/src/theme/theme.ts` does; a test holds the two together. A file
 * of its own, because the content security policy allows nothing inline.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}\n";

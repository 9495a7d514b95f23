/**
 * Applies the stored theme before the first paint; the app's own code runs later, and the wrong background would flash. It
 * does what `packages/ui/src/theme/theme.ts` does, and `apps/wallet/test/theme-script.test.ts` compares them. It is a file,
 * because the content security policy forbids inline scripts.
 */
export const themeScript =
  "try{const t=localStorage.getItem('theme');" +
  "if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}\n";

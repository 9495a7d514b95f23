import { brand } from '@athos/brand/brand';
import type { CapacitorConfig } from '@capacitor/cli';

/** D-146: how long the native splash screen is shown on iOS. On Android the app hides it once it has drawn. */
const SPLASH_MS = 2000;

/** What both apps are made with. Only facts that are the same for every installation of the brand. */
export const config: CapacitorConfig = {
  appId: brand.app.id,
  appName: brand.name,
  webDir: 'www',
  loggingBehavior: 'debug',
  backgroundColor: brand.colours.dark.ground,
  // One size for all: text grows with the type scale of the app, and layouts are made for it (spec 2).
  zoomEnabled: false,
  server: { androidScheme: 'https', iosScheme: 'capacitor' },
  android: {
    allowMixedContent: false,
    // The first that reads what the build emits (ES2023); the bridge is then never written into the page as inline script.
    minWebViewVersion: 110,
    webContentsDebuggingEnabled: false,
  },
  ios: {
    // The page has its own room for notch and home indicator.
    contentInset: 'never',
    webContentsDebuggingEnabled: false,
    limitsNavigationsToAppBoundDomains: false,
  },
  plugins: {
    SplashScreen: {
      launchShowDuration: SPLASH_MS,
      launchAutoHide: true,
      launchFadeOutDuration: 200,
      backgroundColor: brand.colours.dark.ground,
      showSpinner: false,
      androidScaleType: 'CENTER_CROP',
    },
    Keyboard: { resizeOnFullScreen: true },
    SystemBars: { insetsHandling: 'css', initialViewportFitValueHint: 'cover' },
  },
};

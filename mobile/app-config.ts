import { brand } from '@athos/brand/brand';
import type { CapacitorConfig } from '@capacitor/cli';

/** D-146: how long the native splash screen is shown on iOS. On Android the app hides it once it has drawn. */
const SPLASH_MS = 2000;

/** The configuration of both apps: only facts that are the same for every installation of the brand. */
export const config: CapacitorConfig = {
  appId: brand.app.id,
  appName: brand.name,
  webDir: 'www',
  loggingBehavior: 'debug',
  backgroundColor: brand.colours.dark.ground,
  // No pinch zoom: texts grow with the app's own scale, for which the layouts are made (spec 2).
  zoomEnabled: false,
  server: { androidScheme: 'https', iosScheme: 'capacitor' },
  android: {
    allowMixedContent: false,
    // The first version that supports the build's ES2023. It also loads the bridge without an inline script in the page.
    minWebViewVersion: 110,
    webContentsDebuggingEnabled: false,
  },
  ios: {
    // The page itself leaves room for the notch and the home indicator.
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
    // The projects name the wallet's host themselves, because it differs between installations of the brand.
    CapacitorPasskey: { autoShim: false },
    Keyboard: { resizeOnFullScreen: true },
    SystemBars: { insetsHandling: 'css', initialViewportFitValueHint: 'cover' },
  },
};

/**
 * The plugins of the packaged app, by the names of their native parts. Only their types are imported from their
 * packages, because those include web implementations that this app does not use.
 */
import type { KeepAwakePlugin } from '@capacitor-community/keep-awake';
import type { ScreenBrightnessPlugin } from '@capacitor-community/screen-brightness';
import type { StripePlugin } from '@capacitor-community/stripe';
import type { AppPlugin } from '@capacitor/app';
import type { ClipboardPlugin } from '@capacitor/clipboard';
import { Capacitor, registerPlugin, SystemBars, SystemBarsStyle } from '@capacitor/core';
import type { FilesystemPlugin } from '@capacitor/filesystem';
import type { HapticsPlugin } from '@capacitor/haptics';
import type { KeyboardPlugin } from '@capacitor/keyboard';
import type { NetworkPlugin } from '@capacitor/network';
import type { SharePlugin } from '@capacitor/share';
import type { SplashScreenPlugin } from '@capacitor/splash-screen';
import type { TextZoomPlugin } from '@capacitor/text-zoom';
import type { PhonePasskeys } from './shell.ts';

/** Native methods of @capgo/capacitor-passkey: Credential Manager on Android, AuthenticationServices on iOS. */
interface PasskeyPlugin extends PhonePasskeys {
  isSupported(): Promise<{ available: boolean }>;
}

/** Native methods of @aparajita/capacitor-secure-storage: Keychain on iOS, a Keystore key on Android. */
interface SecureStoragePlugin {
  internalGetItem(options: {
    prefixedKey: string;
    sync: boolean;
  }): Promise<{ data: string | null }>;
  internalSetItem(options: {
    prefixedKey: string;
    data: string;
    sync: boolean;
    /** Keychain access. 1: only while the device is unlocked, and never on another device. */
    access: 1;
  }): Promise<void>;
  internalRemoveItem(options: { prefixedKey: string; sync: boolean }): Promise<unknown>;
}

export const app = registerPlugin<AppPlugin>('App');
export const clipboard = registerPlugin<ClipboardPlugin>('Clipboard');
export const filesystem = registerPlugin<FilesystemPlugin>('Filesystem');
export const haptics = registerPlugin<HapticsPlugin>('Haptics');
export const keepAwake = registerPlugin<KeepAwakePlugin>('KeepAwake');
export const keyboard = registerPlugin<KeyboardPlugin>('Keyboard');
export const network = registerPlugin<NetworkPlugin>('Network');
export const passkeys = registerPlugin<PasskeyPlugin>('CapacitorPasskey');
export const screenBrightness = registerPlugin<ScreenBrightnessPlugin>('ScreenBrightness');
export const secureStorage = registerPlugin<SecureStoragePlugin>('SecureStorage');
export const share = registerPlugin<SharePlugin>('Share');
export const splashScreen = registerPlugin<SplashScreenPlugin>('SplashScreen');
export const stripe = registerPlugin<StripePlugin>('Stripe');
export const textZoom = registerPlugin<TextZoomPlugin>('TextZoom');

export { SystemBars as systemBars, SystemBarsStyle };

export const isAndroid = (): boolean => Capacitor.getPlatform() === 'android';

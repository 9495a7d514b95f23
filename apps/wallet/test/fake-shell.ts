/** A fake of the packaged app's native half: the bridge that Capacitor puts into the page, and its plugins. */
import { vi } from 'vitest';

type Answer = (options: unknown) => unknown;

const METHODS: Readonly<Record<string, readonly string[]>> = {
  App: ['getLaunchUrl', 'minimizeApp'],
  CapacitorPasskey: ['createCredential', 'getCredential', 'isSupported'],
  Clipboard: ['write'],
  Filesystem: ['writeFile', 'rmdir'],
  Haptics: ['impact'],
  KeepAwake: ['keepAwake', 'allowSleep'],
  Keyboard: [],
  Network: ['getStatus'],
  ScreenBrightness: ['getBrightness', 'setBrightness'],
  SecureStorage: ['internalGetItem', 'internalSetItem', 'internalRemoveItem'],
  Share: ['share'],
  SplashScreen: ['hide'],
  Stripe: [
    'initialize',
    'isApplePayAvailable',
    'createApplePay',
    'presentApplePay',
    'isGooglePayAvailable',
    'createGooglePay',
    'presentGooglePay',
  ],
  SystemBars: ['setStyle'],
  TextZoom: ['set'],
};

export interface FakeShell {
  /** The options of each call of a method such as `TextZoom.set`, in order. */
  readonly calls: (method: string) => unknown[];
  /** Sets the response of a method, `undefined` by default. A call is refused if `answer` throws. */
  readonly answer: (method: string, answer: Answer) => void;
  readonly emit: (plugin: string, event: string, data?: unknown) => void;
}

let answers = new Map<string, Answer>();
let called: { method: string; options: unknown }[] = [];
let listeners = new Map<string, (data: unknown) => void>();

/** Shared by all tests of a file, because `@capacitor/core` keeps the first one it finds. */
const capacitor = {
  isNativePlatform: () => true,
  PluginHeaders: Object.entries(METHODS).map(([name, methods]) => ({
    name,
    methods: [
      ...methods.map((method) => ({ name: method, rtype: 'promise' })),
      { name: 'addListener', rtype: 'callback' },
    ],
  })),
  async nativePromise(plugin: string, method: string, options: unknown): Promise<unknown> {
    called.push({ method: `${plugin}.${method}`, options });
    return answers.get(`${plugin}.${method}`)?.(options);
  },
  async nativeCallback(
    plugin: string,
    _method: string,
    { eventName }: { eventName: string },
    listener: (data: unknown) => void,
  ): Promise<string> {
    listeners.set(`${plugin}.${eventName}`, listener);
    return eventName;
  },
};

/** For `beforeEach`. `vi.unstubAllGlobals()` undoes it. */
export function installFakeShell(platform: 'android' | 'ios'): FakeShell {
  answers = new Map();
  called = [];
  listeners = new Map();
  vi.stubGlobal('Capacitor', capacitor);
  vi.stubGlobal('androidBridge', platform === 'android' ? {} : undefined);
  vi.stubGlobal('webkit', { messageHandlers: platform === 'ios' ? { bridge: {} } : {} });
  return {
    calls: (method) =>
      called.filter((call) => call.method === method).map(({ options }) => options),
    answer: (method, answer) => void answers.set(method, answer),
    emit: (plugin, event, data) => listeners.get(`${plugin}.${event}`)?.(data),
  };
}

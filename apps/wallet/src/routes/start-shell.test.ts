// @vitest-environment jsdom
import { isNetworkLost } from '@athos/app-core/network';
import { device } from '@athos/ui/theme/device';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeShell, type FakeShell } from '../../test/fake-shell.ts';
import { phonePasskeys } from '../native/shell.ts';
import { session, tokenPlace } from '../state/session.ts';

let shell: FakeShell;
let startApp: ReturnType<typeof vi.fn<() => void>>;

/**
 * Waits until calls over the bridge and their consequences finish, each of which takes at most one turn of the event
 * loop.
 */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setTimeout(resolve));
}

function install(platform: 'android' | 'ios'): void {
  shell = installFakeShell(platform);
  shell.answer('SecureStorage.internalGetItem', () => ({ data: 'a-token' }));
  shell.answer('Network.getStatus', () => ({ connected: true }));
  shell.answer('ScreenBrightness.getBrightness', () => ({ brightness: 0.4 }));
}

async function start(): Promise<void> {
  // The bridge exists before the code that looks for it runs.
  const { startShell } = await import('./start-shell.ts');
  await startShell(startApp, isNetworkLost);
  await settle();
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }));
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => draw());
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  localStorage.setItem('app-installed', 'true');
  history.replaceState(null, '', '/');
  startApp = vi.fn<() => void>();
  install('ios');
});
afterEach(() => {
  vi.unstubAllGlobals();
  isNetworkLost.set(false);
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
});

describe('the start of the packaged app', () => {
  it.each(['ios', 'android'] as const)(
    '[S2-203] sets the text zoom to 1 on %s',
    async (platform) => {
      install(platform);
      await start();
      expect(shell.calls('TextZoom.set')).toEqual([{ value: 1 }]);
    },
  );

  it('[S2-202] leaves the splash screen on iOS for its 2000 ms', async () => {
    await start();
    expect(startApp).toHaveBeenCalledOnce();
    expect(shell.calls('SplashScreen.hide')).toEqual([]);
  });

  it('hides the splash screen on Android once the app is rendered', async () => {
    install('android');
    await start();
    expect(shell.calls('SplashScreen.hide')).toHaveLength(1);
  });

  it('continues without what the phone cannot do', async () => {
    const refuse = () => {
      throw new Error('refused by the phone');
    };
    for (const method of ['TextZoom.set', 'App.getLaunchUrl', 'Network.getStatus']) {
      shell.answer(method, refuse);
    }
    await start();
    expect(startApp).toHaveBeenCalledOnce();
  });

  it('removes the saved files that an earlier run left behind', async () => {
    shell.answer('Filesystem.rmdir', () => {
      throw new Error('there is no such folder');
    });
    await start();
    expect(shell.calls('Filesystem.rmdir')).toEqual([
      { path: 'saved', directory: 'CACHE', recursive: true },
    ]);
    expect(startApp).toHaveBeenCalledOnce();
  });

  it.each([true, false])('asks first whether the phone has passkeys: %s', async (available) => {
    shell.answer('CapacitorPasskey.isSupported', () => ({ available }));
    startApp.mockImplementation(() => expect(phonePasskeys.get() !== undefined).toBe(available));
    await start();
    expect(startApp).toHaveBeenCalledOnce();
  });

  it('shows clock and battery in light colours on the dark theme', async () => {
    await start();
    expect(shell.calls('SystemBars.setStyle')).toEqual([{ style: 'DARK' }]);
    document.documentElement.dataset['theme'] = 'light';
    await settle();
    expect(shell.calls('SystemBars.setStyle').at(-1)).toEqual({ style: 'LIGHT' });
    delete document.documentElement.dataset['theme'];
  });
});

describe('the token', () => {
  it('is read from secure storage, not local storage, before the app starts', async () => {
    localStorage.setItem('jwt', 'of-the-web');
    startApp.mockImplementation(() => expect(tokenPlace.read()).toBe('a-token'));
    await start();
    expect(startApp).toHaveBeenCalledOnce();
  });

  it('is written only there, for this device while it is unlocked', async () => {
    await start();
    tokenPlace.write('next');
    expect(tokenPlace.read()).toBe('next');
    await settle();
    expect(shell.calls('SecureStorage.internalSetItem')).toEqual([
      { prefixedKey: 'jwt', sync: false, data: 'next', access: 1 },
    ]);
    expect(localStorage.getItem('jwt')).toBeNull();
    tokenPlace.remove();
    expect(tokenPlace.read()).toBeNull();
    await settle();
    expect(shell.calls('SecureStorage.internalRemoveItem')).toHaveLength(1);
  });

  it('of an earlier installation is deleted, because the Keychain outlives the app', async () => {
    localStorage.clear();
    await start();
    expect(tokenPlace.read()).toBeNull();
    expect(shell.calls('SecureStorage.internalRemoveItem')).toHaveLength(1);
    await start();
    expect(tokenPlace.read()).toBe('a-token');
  });

  it('of a sign-in after an account deletion, which clears local storage, is available at the next start', async () => {
    await start();
    localStorage.clear();
    tokenPlace.write('next');
    await start();
    expect(shell.calls('SecureStorage.internalRemoveItem')).toEqual([]);
    expect(tokenPlace.read()).toBe('a-token');
  });

  it('starts the app signed out when it cannot be read', async () => {
    shell.answer('SecureStorage.internalGetItem', () => {
      throw new Error('no key');
    });
    await start();
    expect(tokenPlace.read()).toBeNull();
    expect(startApp).toHaveBeenCalledOnce();
  });
});

describe('links', () => {
  const launchWith = (url: string) => shell.answer('App.getLaunchUrl', () => ({ url }));
  const address = () => location.pathname + location.search;

  it('start the app at their address', async () => {
    launchWith(`${location.origin}/auth/verify-account?code=abc`);
    startApp.mockImplementation(() => expect(address()).toBe('/auth/verify-account?code=abc'));
    await start();
    expect(startApp).toHaveBeenCalledOnce();
  });

  it('are not followed again by a reload', async () => {
    launchWith(`${location.origin}/app/redeem?code=abc`);
    await start();
    history.replaceState(null, '', '/app/history');
    await start();
    expect(address()).toBe('/app/history');
  });

  it('that arrived later are not followed again by a reload either, although iOS reports them as the launch link', async () => {
    await start();
    const url = `${location.origin}/app/redeem?code=abc`;
    shell.emit('App', 'appUrlOpen', { url });
    launchWith(url);
    history.replaceState(null, '', '/app/history');
    await start();
    expect(address()).toBe('/app/history');
  });

  it('are followed when tapped while the page reloads', async () => {
    await start();
    const url = `${location.origin}/app/redeem?code=abc`;
    launchWith(url);
    await start();
    shell.emit('App', 'appUrlOpen', { url });
    expect(address()).toBe('/app/redeem?code=abc');
  });

  it('leave no code in storage', async () => {
    launchWith(`${location.origin}/auth/reset-password?code=secret-1`);
    await start();
    shell.emit('App', 'appUrlOpen', { url: `${location.origin}/app/redeem?code=secret-2` });
    const stored = [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage));
    expect(stored).toContainEqual(['launch-link-read', 'true']);
    expect(JSON.stringify(stored)).not.toContain('secret');
  });

  it('to a reward are remembered after the user has signed out; those of mails replace nothing', async () => {
    await start();
    session.set({ status: 'signed_out', end: 'signed_out' });
    shell.emit('App', 'appUrlOpen', { url: `${location.origin}/app/redeem?code=abc` });
    shell.emit('App', 'appUrlOpen', { url: `${location.origin}/auth/verify-account?code=def` });
    expect(localStorage.getItem('intended-route')).toBe('/app/redeem?code=abc');
    session.set({ status: 'starting' });
  });

  it.each([
    'https://evil.example/app/redeem?code=abc',
    `${location.origin}/app/send?to=someone`,
    'javascript:alert(1)',
  ])('to other places are ignored: %s', async (url) => {
    launchWith(url);
    await start();
    expect(address()).toBe('/');
    shell.emit('App', 'appUrlOpen', { url });
    expect(address()).toBe('/');
  });

  it('are followed by the router while the app runs, once for each tap', async () => {
    await start();
    const handlePop = vi.fn<() => void>();
    addEventListener('popstate', handlePop);
    const url = `${location.origin}/auth/reset-password?code=abc`;
    shell.emit('App', 'appUrlOpen', { url });
    shell.emit('App', 'appUrlOpen', { url });
    removeEventListener('popstate', handlePop);
    expect(address()).toBe('/auth/reset-password?code=abc');
    expect(handlePop).toHaveBeenCalledOnce();
  });
});

describe("Android's back button", () => {
  beforeEach(() => install('android'));

  it('goes back', async () => {
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
    await start();
    history.replaceState(null, '', '/app/history');
    shell.emit('App', 'backButton', { canGoBack: true });
    expect(back).toHaveBeenCalledOnce();
    expect(shell.calls('App.minimizeApp')).toEqual([]);
  });

  it.each([
    ['/app', true],
    ['/auth/get-started', true],
    ['/app/history', false],
  ])('leaves the app from a root screen: %s', async (path, canGoBack) => {
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
    await start();
    history.replaceState(null, '', path);
    shell.emit('App', 'backButton', { canGoBack });
    await settle();
    expect(back).not.toHaveBeenCalled();
    expect(shell.calls('App.minimizeApp')).toHaveLength(1);
  });

  it('first closes what is open over the screen, as Esc does', async () => {
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined);
    await start();
    const dialog = document.createElement('div');
    dialog.setAttribute('role', 'dialog');
    const keys: string[] = [];
    dialog.addEventListener('keydown', ({ key }) => keys.push(key));
    document.body.append(dialog);
    shell.emit('App', 'backButton', { canGoBack: true });
    expect(keys).toEqual(['Escape']);
    expect(back).not.toHaveBeenCalled();
  });
});

describe('the phone', () => {
  it('sets the network-lost flag when its network is gone', async () => {
    await start();
    expect(isNetworkLost.get()).toBe(false);
    shell.emit('Network', 'networkStatusChange', { connected: false });
    expect(isNetworkLost.get()).toBe(true);
  });

  it('reports its keyboard to the page, which keeps the focused field in view', async () => {
    await start();
    const scrollIntoView = vi.fn<() => void>();
    const field = Object.assign(document.createElement('input'), { scrollIntoView });
    document.body.append(field);
    field.focus();
    shell.emit('Keyboard', 'keyboardDidShow', { keyboardHeight: 300 });
    expect(document.documentElement.dataset['keyboard']).toBe('open');
    expect(scrollIntoView).toHaveBeenCalledOnce();
    shell.emit('Keyboard', 'keyboardWillHide');
    expect(document.documentElement.dataset['keyboard']).toBeUndefined();
  });

  it('copies text to the clipboard and vibrates', async () => {
    await start();
    await device().copyText('a text');
    device().tick();
    await settle();
    expect(shell.calls('Clipboard.write')).toEqual([{ string: 'a text' }]);
    expect(shell.calls('Haptics.impact')).toEqual([{ style: 'LIGHT' }]);
  });

  it('is bright and awake while a code is shown, and returns to its previous state', async () => {
    await start();
    const end = device().lightScreen();
    await settle();
    expect(shell.calls('KeepAwake.keepAwake')).toHaveLength(1);
    expect(shell.calls('ScreenBrightness.setBrightness')).toEqual([{ brightness: 1 }]);
    end();
    await settle();
    expect(shell.calls('KeepAwake.allowSleep')).toHaveLength(1);
    expect(shell.calls('ScreenBrightness.setBrightness').at(-1)).toEqual({ brightness: 0.4 });
  });
});

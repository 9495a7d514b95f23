import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brand } from '@athos/brand/brand';
import { APP_LINK_PATHS } from '@athos/contract/app-links';
import { m } from '@athos/messages/messages';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artFiles } from './art/art-files.ts';
import packageFile from './package.json' with { type: 'json' };
import { isForApp, shellPage, ShellSettingError, type ShellSettings } from './shell-page.ts';
import { projectFiles, syncCopy, type SyncedCopy } from './test/sync-copy.ts';

const here = import.meta.dirname;
const read = (path: string): string => readFileSync(join(here, path), 'utf8');
const walletPage = readFileSync(join(here, '../apps/wallet/index.html'), 'utf8');

const SETTINGS: ShellSettings = {
  apiUrl: 'https://api.example/',
  walletUrl: 'https://wallet.example',
  stripePublishableKey: 'pk_test_</script>',
  stripeScriptUrl: 'https://js.stripe.com/endive/stripe.js',
  analyticsUrl: null,
  appleMerchantId: 'merchant.example',
};

describe('cap sync', () => {
  let parent: string;
  let synced: SyncedCopy;
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'athos-mobile-'));
    synced = await syncCopy(parent, shellPage(walletPage, SETTINGS));
  });
  afterAll(() => rmSync(parent, { recursive: true, force: true }));

  const asset = (path: string): string => readFileSync(join(synced.folder, path), 'utf8');
  const ANDROID = 'android/app/src/main/assets';
  const IOS = 'ios/App/App';

  it('runs, for Android and for iOS', () => {
    expect(synced.output).not.toContain('[error]');
    expect(synced.exitCode).toBe(0);
  });

  it('[S1-002] puts the wallet into both apps', () => {
    const page = shellPage(walletPage, SETTINGS);
    expect(asset(`${ANDROID}/public/index.html`)).toBe(page);
    expect(asset(`${IOS}/public/index.html`)).toBe(page);
  });

  it('leaves the committed projects unchanged, because they list exactly the plugins in use', () => {
    expect(projectFiles(synced.folder)).toEqual(projectFiles(here));
  });

  it('finds every plugin in the dependencies of this workspace', () => {
    const parts = ['@capacitor/android', '@capacitor/core', '@capacitor/ios'];
    const plugins = Object.keys(packageFile.dependencies).filter((name) => !parts.includes(name));
    const found = JSON.parse(asset(`${ANDROID}/capacitor.plugins.json`)) as { pkg: string }[];
    expect(found.map(({ pkg }) => pkg).sort()).toEqual(plugins.sort());
    const swift = asset(`${IOS.replace('App/App', 'App/CapApp-SPM')}/Package.swift`);
    for (const name of plugins) expect(swift).toContain(`node_modules/${name}"`);
  });

  it('[S2-202] [D-146] has iOS show the native splash screen for 2000 ms', () => {
    const { plugins } = JSON.parse(asset(`${IOS}/capacitor.config.json`));
    expect(plugins.SplashScreen).toMatchObject({ launchShowDuration: 2000, launchAutoHide: true });
  });

  it('gives both apps the id and the name of the brand, and origins that the API accepts', () => {
    for (const folder of [ANDROID, IOS]) {
      expect(JSON.parse(asset(`${folder}/capacitor.config.json`))).toMatchObject({
        appId: brand.app.id,
        appName: brand.name,
        server: { androidScheme: 'https', iosScheme: 'capacitor' },
      });
    }
  });
});

describe('the Android project', () => {
  const manifest = read('android/app/src/main/AndroidManifest.xml');

  it('has the id and the name of the brand and the version of this workspace', () => {
    const gradle = read('android/app/build.gradle');
    expect(gradle).toContain(`applicationId "${brand.app.id}"`);
    expect(gradle).toContain(`namespace = "${brand.app.id}"`);
    expect(gradle).toContain("JsonSlurper().parse(file('../../package.json')).version");
    const strings = read('android/app/src/main/res/values/strings.xml');
    const named = strings.matchAll(/<string name="(\w+)">([^<]*)<\/string>/g);
    expect(Object.fromEntries([...named].map(([, name, text]) => [name, text]))).toEqual({
      app_name: brand.name,
      title_activity_main: brand.name,
      package_name: brand.app.id,
      custom_url_scheme: brand.app.id,
    });
  });

  it('opens the links of mails and reward codes and no others, with verification', () => {
    const filter = /<intent-filter android:autoVerify="true">([^]*?)<\/intent-filter>/.exec(
      manifest,
    )?.[1];
    const data = [...(filter ?? '').matchAll(/<data android:(\w+)="([^"]+)"/g)];
    expect(data.map(([, kind, value]) => [kind, value])).toEqual([
      ['scheme', 'https'],
      ['host', '${appLinkHost}'],
      ...APP_LINK_PATHS.map((path) => ['path', path]),
    ]);
    expect(read('android/app/build.gradle')).toContain(
      `setting('appLinkHost', '${new URL(brand.app.walletUrl).host}')`,
    );
  });

  it('asks for network and camera, through its plugins for vibration and network state, and for nothing else', () => {
    const asked = (text: string) =>
      [...text.matchAll(/uses-permission android:name="android\.permission\.([^"]+)"/g)].map(
        ([, name = '']) => name,
      );
    const manifests = globSync(
      Object.keys(packageFile.dependencies).map(
        (name) => `../node_modules/${name}/android/src/main/AndroidManifest.xml`,
      ),
      { cwd: here },
    );
    expect(asked(manifest)).toEqual(['INTERNET', 'CAMERA']);
    expect(manifests.length).toBeGreaterThan(5);
    expect(manifests.flatMap((path) => asked(read(path))).sort()).toEqual([
      'ACCESS_NETWORK_STATE',
      'VIBRATE',
    ]);
  });

  it('claims the passkeys of the wallet', () => {
    expect(manifest).toMatch(
      /android:name="asset_statements"\s+android:resource="@string\/asset_statements"/,
    );
    const line = /resValue 'string', 'asset_statements', (.+)/.exec(
      read('android/app/build.gradle'),
    )?.[1];
    // Groovy reads two backslashes as one, and Android's resources need that one before a quote.
    const statements = (line ?? '').replaceAll("' + linkHost + '", 'wallet.example').slice(1, -1);
    expect(statements).toContain(String.raw`\\"`);
    expect(JSON.parse(statements.replaceAll(String.raw`\\"`, '"'))).toEqual([
      { include: 'https://wallet.example/.well-known/assetlinks.json' },
    ]);
  });

  it('keeps the token out of backups and allows no unencrypted traffic', () => {
    expect(manifest).toContain('android:allowBackup="false"');
    expect(manifest).toContain('android:usesCleartextTraffic="false"');
  });

  it('lets the share sheet hand out files of the cache, where saved ones are written', () => {
    expect(manifest).toContain('android:authorities="${applicationId}.fileprovider"');
    expect(manifest).toContain('android:resource="@xml/file_paths"');
    expect(read('android/app/src/main/res/xml/file_paths.xml')).toMatch(
      /<cache-path name="\w+" path="\." \/>/,
    );
  });

  it('offers Google Pay for the US if there is a key', () => {
    expect(manifest).toMatch(/stripe\.country_code"\s+android:value="US"/);
    expect(read('android/app/build.gradle')).toContain("isGooglePayEnabled: stripeKey != ''");
  });
});

describe('the iOS project', () => {
  const project = read('ios/App/App.xcodeproj/project.pbxproj');
  const plist = read('ios/App/App/Info.plist');

  it('has the id and the name of the brand and the version of this workspace', () => {
    const ids = [...project.matchAll(/PRODUCT_BUNDLE_IDENTIFIER = (.+);/g)].map(([, id]) => id);
    expect(ids).toEqual([brand.app.id, brand.app.id]);
    const versions = [...project.matchAll(/MARKETING_VERSION = (.+);/g)].map(([, text]) => text);
    expect(versions).toEqual([packageFile.version, packageFile.version]);
    expect(plist).toMatch(
      new RegExp(`<key>CFBundleDisplayName</key>\\s*<string>${brand.name}</string>`),
    );
  });

  it('explains what the camera is for', () => {
    expect(plist).toMatch(/<key>NSCameraUsageDescription<\/key>/);
    expect(plist).toContain(`<string>${m.shell_native_camera()}</string>`);
  });

  it('has the entitlements for universal links, passkeys and Apple Pay in every configuration', () => {
    const entitlements = read('ios/App/App/App.entitlements');
    expect(entitlements).toContain('<string>applinks:$(APP_LINK_HOST)</string>');
    expect(entitlements).toContain('<string>webcredentials:$(APP_LINK_HOST)</string>');
    expect(entitlements).toContain('<string>$(APPLE_MERCHANT_ID)</string>');
    expect(project.match(/CODE_SIGN_ENTITLEMENTS = App\/App\.entitlements;/g)).toHaveLength(2);
    const settings = read('ios/settings.xcconfig');
    expect(settings).toContain(`APPLE_MERCHANT_ID = merchant.${brand.app.id}\n`);
    expect(settings).toContain(`APP_LINK_HOST = ${new URL(brand.app.walletUrl).host}\n`);
    for (const name of ['debug', 'release']) {
      expect(read(`ios/${name}.xcconfig`)).toContain('#include "settings.xcconfig"');
      expect(project).toContain(`/* ${name}.xcconfig */;`);
    }
  });

  it('tells Apple why @capacitor/filesystem reads the times of files', () => {
    expect(read('ios/App/App/PrivacyInfo.xcprivacy')).toMatch(
      /<string>NSPrivacyAccessedAPICategoryFileTimestamp<\/string>[^]*<string>C617\.1<\/string>/,
    );
    const id =
      /(\w+) \/\* PrivacyInfo\.xcprivacy in Resources \*\/ = /.exec(project)?.[1] ?? 'none';
    const resources = /isa = PBXResourcesBuildPhase;[^]*?\);/.exec(project)?.[0];
    expect(resources).toContain(id);
  });

  it('lets the page control the look of the status bar', () => {
    expect(plist).toMatch(/<key>UIViewControllerBasedStatusBarAppearance<\/key>\s*<true\/>/);
  });
});

describe('both projects', () => {
  it('[D-008] repeat no fact of the brand besides its name, id and host, which are compared above', () => {
    const host = new URL(brand.app.walletUrl).host;
    const facts = [brand.name, brand.legalName, brand.provider.name, brand.productSlug];
    const known = [
      `merchant.${brand.app.id}`,
      brand.app.id,
      brand.app.id.replaceAll('.', '/'),
      host,
      `>${brand.name}<`,
    ];
    const texts = Object.entries(projectFiles(here));
    const branded = texts.flatMap(([path, text]) => {
      const rest = known.reduce((left, fact) => left.replaceAll(fact, ''), `${path} ${text}`);
      return facts.some((fact) => rest.toLowerCase().includes(fact.toLowerCase())) ? [path] : [];
    });
    expect(texts.length).toBeGreaterThan(20);
    expect(branded).toEqual([]);
  });
});

describe('pictures', () => {
  it('exist in every size', async () => {
    const sizes = await Promise.all(
      artFiles.map(async ({ path }) => {
        const { width, height } = await sharp(join(here, path)).metadata();
        return { path, width, height };
      }),
    );
    expect(sizes).toEqual(artFiles.map(({ path, width, height }) => ({ path, width, height })));
  });

  it('include an App Store icon without transparency', async () => {
    const icon = artFiles.find(({ path }) => path.includes('AppIcon'));
    const { hasAlpha } = await sharp(join(here, icon?.path ?? '')).metadata();
    expect(hasAlpha).toBe(false);
  });
});

describe('the page of the apps', () => {
  it('contains the settings, which cannot close their element', () => {
    const page = shellPage(walletPage, SETTINGS);
    const text = /<script id="settings" type="application\/json">([^]*?)<\/script>/.exec(page)?.[1];
    expect(JSON.parse(text ?? '')).toEqual({ ...SETTINGS, apiUrl: 'https://api.example' });
  });

  it('has a policy that allows calls to the API and the card provider only', () => {
    const page = shellPage(walletPage, SETTINGS);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1];
    expect(policy).toContain(
      "connect-src 'self' capacitor://localhost https://api.example https://api.stripe.com;",
    );
    expect(policy).not.toContain('unsafe-inline');
  });

  it.each([
    ['ATHOS_API_URL', { apiUrl: 'http://api.example' }],
    ['ATHOS_WALLET_URL', { walletUrl: 'wallet.example' }],
    ['STRIPE_SCRIPT_URL', { stripeScriptUrl: 'http://127.0.0.1:1/stripe.js' }],
  ])('is not made without an https address in %s', (name, wrong) => {
    const make = () => shellPage(walletPage, { ...SETTINGS, ...wrong });
    expect(make).toThrow(ShellSettingError);
    expect(make).toThrow(`${name} must be an https address`);
  });

  it('omits what only a server or an installed web app needs', () => {
    const names = ['assets/a.js', 'assets/a.js.br', 'a.css.gz', 'manifest.webmanifest', 'icon.svg'];
    expect(names.filter(isForApp)).toEqual(['assets/a.js', 'icon.svg']);
    expect(shellPage(walletPage, SETTINGS)).not.toContain('rel="manifest"');
  });
});

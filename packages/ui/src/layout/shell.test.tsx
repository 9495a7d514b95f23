// @vitest-environment jsdom
import {
  cleanup,
  configure,
  fireEvent,
  render,
  screen,
  waitFor,
  within,
} from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Avatar, monogramOf } from '../primitives/avatar.tsx';
import { BottomNav } from './bottom-nav.tsx';
import { CopyButton } from '../primitives/copy-button.tsx';
import { LinkProvider, TextLink } from '../primitives/link.tsx';
import { List, ListRow } from '../primitives/list-row.tsx';
import { richText } from '../text/rich-text.tsx';
import { AuthScreen } from './auth-screen.tsx';
import { aloneInLine } from './category-cards.tsx';
import { ListDetail } from './list-detail.tsx';
import { AppFrame, Screen } from './screen.tsx';
import { Splash } from './splash.tsx';
import { ThemeSwitch } from '../theme/theme-switch.tsx';
import { applyThemeChoice, readThemeChoice } from '../theme/theme.ts';
import { toasts } from '../overlays/toast-store.ts';
import { Toaster } from '../overlays/toaster.tsx';
import { WelcomeScreen } from './welcome-screen.tsx';

// Instead of 1 s, which a busy machine may need.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  toasts.clear();
});

describe('screens', () => {
  it.each([
    ['a signed-in screen', () => <Screen title="Send">content</Screen>],
    ['a signed-out screen', () => <AuthScreen title="Sign in">content</AuthScreen>],
    [
      'the first screen',
      () => (
        <WelcomeScreen
          title="Welcome"
          lead="Lead"
          art={null}
          action={<a href="/auth/choose">Go</a>}
        >
          content
        </WelcomeScreen>
      ),
    ],
    ['the splash screen', () => <Splash />],
  ])("[S1-027] carries a 'powered by' footer with the provider's logo on %s", (_, renderScreen) => {
    render(renderScreen());
    const footer = screen.getByRole('contentinfo');
    expect(footer.textContent?.toLowerCase()).toContain('powered by');
    expect(within(footer).getByRole('img', { name: 'Meridian Pay' }).tagName).toBe('svg');
  });

  it('[D-004] names the provider Meridian Pay', () => {
    expect(brand.provider.name).toBe('Meridian Pay');
    render(<Splash />);
    expect(screen.getByRole('contentinfo').textContent).toContain('Meridian Pay');
  });

  it("sets the document's title and the only h1", () => {
    render(<Screen title="Send">content</Screen>);
    expect(document.title).toBe('Send · Athos');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Send');
    expect(screen.getByRole('main').id).toBe('content');
  });
});

describe('the frame', () => {
  it('has the link to the content first, then the navigation, then the screen', () => {
    render(
      <AppFrame nav={<nav>Rail</nav>}>
        <Screen title="Send">
          <a href="#x">Inside</a>
        </Screen>
      </AppFrame>,
    );
    expect(screen.getAllByRole('link')[0]?.textContent).toBe('Skip to content');
    const order = screen.getByRole('navigation').compareDocumentPosition(screen.getByRole('main'));
    expect(order).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('shows its activity beside a screen that leaves room for it', () => {
    const show = (width: 'column' | 'full') =>
      render(
        <AppFrame nav={null} activity="Activity">
          <Screen title="Send" width={width}>
            content
          </Screen>
        </AppFrame>,
      );
    show('column');
    expect(screen.getByText('Activity')).toBeDefined();
    cleanup();
    show('full');
    expect(screen.queryByText('Activity')).toBeNull();
  });

  it('keeps one main landmark and one h1 where a detail is beside its list', () => {
    render(
      <ListDetail
        list={<Screen title="History">list</Screen>}
        detail={
          <Screen title="Details" backTo="/app/history">
            detail
          </Screen>
        }
      />,
    );
    expect(screen.getByRole('main').textContent).toContain('list');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('History');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Details');
    expect(document.title).toBe('History · Athos');
  });
});

it.each([
  ['half half', []],
  ['half half half', [2]],
  ['half column half half', [0]],
  ['column half', [1]],
] as const)('gives a half card of %s the whole line if none is beside it', (spans, alone) => {
  const list = spans.split(' ') as ('half' | 'column')[];
  expect([...aloneInLine(list)]).toEqual(alone);
});

describe('BottomNav', () => {
  const item = (label: string, badgeCount = 0) => ({
    to: `/${label}`,
    label,
    icon: null,
    isCurrent: label === 'Wallet',
    badgeCount,
    badgeLabel: `${label}, ${badgeCount} items`,
  });

  it('keeps the given order and marks the current item', () => {
    render(<BottomNav items={[item('Home'), item('Settings'), item('Wallet')]} />);
    const links = within(screen.getByRole('navigation')).getAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual(['Home', 'Settings', 'Wallet']);
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page']);
  });

  it('names a count badge, and shows none at 0', () => {
    render(<BottomNav items={[item('Cart', 3), item('Home', 0)]} />);
    expect(screen.getByRole('link', { name: 'Cart, 3 items' }).textContent).toContain('3');
    expect(screen.getByRole('link', { name: 'Home' }).textContent).toBe('Home');
  });
});

describe('CopyButton', () => {
  const clipboard = { writeText: vi.fn<(text: string) => Promise<void>>() };
  beforeEach(() => {
    clipboard.writeText.mockReset();
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
    render(
      <>
        <CopyButton text="0192f3a4" />
        <Toaster />
      </>,
    );
  });

  it("[S8-016] copies and says 'Text copied to clipboard!' for 3 s", async () => {
    clipboard.writeText.mockResolvedValue();
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    await waitFor(() => expect(screen.getByText('Text copied to clipboard!')).toBeDefined());
    expect(clipboard.writeText).toHaveBeenCalledWith('0192f3a4');
    expect(toasts.read()[0]?.durationMs).toBe(3000);
  });

  it("[S8-017] says 'Something went wrong, please try again' for 3 s if the browser refuses", async () => {
    clipboard.writeText.mockRejectedValue(new Error('denied'));
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    await waitFor(() =>
      expect(screen.getByText('Something went wrong, please try again')).toBeDefined(),
    );
    expect(toasts.read()[0]?.durationMs).toBe(3000);
  });
});

describe('links', () => {
  it("follow the app's router", () => {
    const routerLink = ({ to, children }: { to: string; children?: React.ReactNode }) => (
      <a href={`#${to}`}>{children}</a>
    );
    render(
      <LinkProvider link={routerLink}>
        <TextLink to="/auth/sign-up">Sign Up</TextLink>
      </LinkProvider>,
    );
    expect(screen.getByRole('link', { name: 'Sign Up' }).getAttribute('href')).toBe(
      '#/auth/sign-up',
    );
  });

  it('replace the parameters of a text', () => {
    render(
      <p>
        {richText(m.auth_terms_notice, {
          terms: <TextLink to="/t">Terms</TextLink>,
          privacy: <TextLink to="/p">Privacy</TextLink>,
        })}
      </p>,
    );
    expect(screen.getByText(/By continuing/).textContent).toBe(
      'By continuing you agree to the Terms and the Privacy.',
    );
    expect(screen.getAllByRole('link')).toHaveLength(2);
  });
});

describe('ListRow', () => {
  it('is a link, a button, or neither', () => {
    const handlePress = vi.fn();
    render(
      <List label="Rows">
        <ListRow title="History" to="/app/history" />
        <ListRow title="Mia" onPress={handlePress} isSelected />
        <ListRow title="Plain" />
      </List>,
    );
    expect(screen.getByRole('link', { name: 'History' })).toBeDefined();
    const button = screen.getByRole('button', { name: 'Mia' });
    fireEvent.click(button);
    expect(handlePress).toHaveBeenCalledOnce();
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
  });
});

describe('Avatar', () => {
  it.each([
    ['Mia Bergström', 'MB'],
    ['jonas', 'J'],
    ['  anna lena  meyer ', 'AL'],
    ['', '?'],
  ])('shortens %j to %s', (name, monogram) => {
    expect(monogramOf(name)).toBe(monogram);
    render(<Avatar name={name} />);
    expect(screen.getByText(monogram)).toBeDefined();
  });
});

describe('ThemeSwitch', () => {
  afterEach(() => {
    localStorage.clear();
    applyThemeChoice('system');
  });

  it("overrides the device's theme, remembers it, and returns to it", () => {
    render(<ThemeSwitch />);
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'System' }).checked).toBe(true);
    fireEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    expect(readThemeChoice()).toBe('dark');
    fireEvent.click(screen.getByRole('radio', { name: 'System' }));
    expect(document.documentElement.dataset['theme']).toBeUndefined();
    expect(readThemeChoice()).toBe('system');
  });

  it("colours the browser's bars like the page", () => {
    document.head.innerHTML =
      '<meta name="theme-color" media="(prefers-color-scheme: light)"><meta name="theme-color" media="(prefers-color-scheme: dark)">';
    const contents = () =>
      [...document.querySelectorAll('meta[name=theme-color]')].map((meta) =>
        meta.getAttribute('content'),
      );
    applyThemeChoice('system');
    expect(contents()).toEqual([brand.colours.light.ground, brand.colours.dark.ground]);
    applyThemeChoice('dark');
    expect(contents()).toEqual([brand.colours.dark.ground, brand.colours.dark.ground]);
  });
});

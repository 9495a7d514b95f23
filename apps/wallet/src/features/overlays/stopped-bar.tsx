import type { BrakeName } from '@athos/contract/brakes';
import { m } from '@athos/messages/messages';
import { useLocation } from 'react-router';
import { useStopped } from '../../api/programme.ts';
import { paths } from '../../routes/paths.ts';

const TITLES: Readonly<Record<BrakeName, () => string>> = {
  buying: m.shell_stopped_buying,
  sending: m.shell_stopped_sending,
  spending: m.shell_stopped_spending,
  redeeming: m.shell_stopped_redeeming,
  rewards: m.shell_stopped_rewards,
};

/** The screens that a brake affects, with all below them. Home and wallet show every notice. */
const SCREENS: Readonly<Record<BrakeName, readonly string[]>> = {
  buying: [paths.buy],
  sending: [paths.send],
  spending: [paths.marketplace, paths.cart],
  redeeming: [paths.myPurchases],
  rewards: [paths.enterRewardCode, paths.redeemReward('')],
};

function isShownAt(pathname: string, what: BrakeName): boolean {
  if (pathname === paths.home || pathname === paths.wallet) return true;
  return SCREENS[what].some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Shows the programme's notices about what it has stopped for everybody. */
export function StoppedBar() {
  const { pathname } = useLocation();
  const shown = useStopped().filter(({ what }) => isShownAt(pathname, what));
  if (shown.length === 0) return null;
  return (
    <div
      role="status"
      className="bg-info-surface border-line safe-inline border-b pt-[env(safe-area-inset-top)]"
    >
      {shown.map(({ what, notice }) => (
        <p
          key={what}
          className="text-caption max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto px-4 py-2.5 text-pretty wrap-anywhere"
        >
          <strong className="text-body text-info block font-semibold">{TITLES[what]()}</strong>
          {notice}
        </p>
      ))}
    </div>
  );
}

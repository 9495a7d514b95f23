import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/button';
import { AuthScreen } from '@athos/ui/screen';
import CarFront from 'lucide-react/icons/car-front';
import Music from 'lucide-react/icons/music';
import TicketPercent from 'lucide-react/icons/ticket-percent';
import { paths } from '../../routes/paths.ts';

const BENEFITS = [
  { icon: Music, text: m.auth_welcome_music },
  { icon: TicketPercent, text: m.auth_welcome_discounts },
  { icon: CarFront, text: m.auth_welcome_supercars },
];

/** Spec 2: /auth/get-started. */
export function GetStartedScreen() {
  return (
    <AuthScreen
      title={m.auth_welcome_title({ programme: brand.programmeName })}
      lead={m.auth_welcome_lead()}
    >
      <ul aria-hidden="true" className="grid grow grid-cols-3 content-center gap-3">
        {BENEFITS.map(({ icon: Icon, text }) => (
          <li
            key={text()}
            className="rounded-large bg-sunken text-caption flex flex-col items-center gap-3 px-2 py-6 text-center font-semibold"
          >
            <Icon size={32} className="text-accent-text" />
            {text()}
          </li>
        ))}
      </ul>
      <p className="text-body text-ink-quiet text-pretty">{m.auth_welcome_text()}</p>
      <ButtonLink to={paths.choose} isWide>
        {m.auth_get_started()}
      </ButtonLink>
    </AuthScreen>
  );
}

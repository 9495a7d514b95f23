import { brand } from '@athos/brand/brand';
import { shortUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { Avatar } from '@athos/ui/primitives/avatar';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { List, ListRow, RowIcon } from '@athos/ui/primitives/list-row';
import { Screen } from '@athos/ui/layout/screen';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { ThemeSwitch } from '@athos/ui/theme/theme-switch';
import AtSign from 'lucide-react/icons/at-sign';
import FileText from 'lucide-react/icons/file-text';
import Gift from 'lucide-react/icons/gift';
import History from 'lucide-react/icons/history';
import KeyRound from 'lucide-react/icons/key-round';
import LogOut from 'lucide-react/icons/log-out';
import Mail from 'lucide-react/icons/mail';
import Shield from 'lucide-react/icons/shield';
import ShieldCheck from 'lucide-react/icons/shield-check';
import UserX from 'lucide-react/icons/user-x';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useOwnEmail } from '../../api/profile.ts';
import { signOut } from '../../api/sign-out.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { LegalDialog, type LegalName } from './legal-dialog.tsx';
import { PageViewSetting } from './page-view-setting.tsx';
import { TicketsSetting } from './tickets-setting.tsx';
import { UndoSetting } from './undo-setting.tsx';

/** The version of this build; empty if the build sets none. */
const appVersion = String(import.meta.env['VITE_APP_VERSION'] ?? '');

/** Spec 2 `/app/settings`. */
export function SettingsScreen() {
  const navigate = useNavigate();
  const handleSignOut = (): void => {
    signOut();
    void navigate(paths.signIn);
  };
  return (
    <Screen
      title={m.settings_title()}
      backTo={paths.home}
      width="form"
      action={
        <Button
          variant="quiet"
          isWide
          icon={<LogOut size={18} aria-hidden />}
          onClick={handleSignOut}
        >
          {m.settings_sign_out()}
        </Button>
      }
    >
      <Owner />
      <SettingsList />
      <Card>
        <ThemeSwitch />
      </Card>
      <UndoSetting />
      <TicketsSetting />
      <PageViewSetting />
      <About />
    </Screen>
  );
}

/** Links to the account's other screens. */
function SettingsList() {
  return (
    <List>
      <ListRow
        to={paths.history}
        title={m.settings_history()}
        leading={
          <RowIcon>
            <History size={20} />
          </RowIcon>
        }
      />
      <ListRow
        to={paths.enterRewardCode}
        title={m.settings_reward_code()}
        leading={
          <RowIcon>
            <Gift size={20} />
          </RowIcon>
        }
      />
      <ListRow
        to={paths.profile}
        title={m.settings_profile()}
        leading={
          <RowIcon>
            <AtSign size={20} />
          </RowIcon>
        }
      />
      <ListRow
        to={paths.security}
        title={m.settings_security()}
        leading={
          <RowIcon>
            <Shield size={20} />
          </RowIcon>
        }
      />
      <ListRow
        to={paths.updatePassword}
        title={m.settings_update_password()}
        leading={
          <RowIcon>
            <KeyRound size={20} />
          </RowIcon>
        }
      />
      <ListRow
        to={paths.deleteAccount}
        title={m.settings_delete_account()}
        leading={
          <RowIcon tone="danger">
            <UserX size={20} />
          </RowIcon>
        }
      />
    </List>
  );
}

/** Names the account. The address wraps, because users with several accounts read it to the end to tell them apart. */
function Owner() {
  const email = useOwnEmail();
  const userUuid = useUserUuid();
  return (
    <Card className="flex items-center gap-3">
      {email === undefined ? (
        <Skeleton isRound className="size-11 shrink-0" />
      ) : (
        <Avatar name={email} />
      )}
      <div className="flex min-w-0 grow flex-col">
        <p className="text-body font-semibold wrap-anywhere">
          <span className="sr-only">{`${m.settings_signed_in_as()} `}</span>
          {email ?? <Skeleton className="my-1 h-4 w-48 max-w-full" />}
        </p>
        <p className="text-caption text-ink-quiet">
          {m.settings_account_id({ id: shortUuid(userUuid) })}
        </p>
      </div>
    </Card>
  );
}

function About() {
  const [legal, setLegal] = useState<LegalName>();
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-caption text-ink-quiet font-semibold">{m.settings_about_title()}</h2>
      <List>
        <ListRow
          onPress={() => setLegal('terms')}
          title={m.settings_terms()}
          leading={
            <RowIcon>
              <FileText size={20} />
            </RowIcon>
          }
        />
        <ListRow
          onPress={() => setLegal('privacy')}
          title={m.settings_privacy()}
          leading={
            <RowIcon>
              <ShieldCheck size={20} />
            </RowIcon>
          }
        />
      </List>
      <a
        href={`mailto:${brand.supportAddress}`}
        className="target rounded-pill text-accent-text hover:bg-sunken inline-flex items-center justify-center gap-2 px-4 font-semibold"
      >
        <Mail size={18} aria-hidden />
        {m.settings_support()}
      </a>
      {appVersion !== '' && (
        <p className="text-caption text-ink-quiet text-center">
          {m.settings_version({ version: appVersion })}
        </p>
      )}
      <LegalDialog name={legal} onClose={() => setLegal(undefined)} />
    </section>
  );
}

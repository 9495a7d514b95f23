/** The settings of the programme: guard rails, limits and policies. Compiled and installed values are shown for reference. */
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState, type ReactNode } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useHolds, useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { SettingDialog } from './setting-dialog.tsx';
import { isPolicy, settingFacts, settingText, type Setting } from './setting-values.ts';

type Settings = AdminAnswer<'settings'>;

interface Group {
  readonly title: () => string;
  readonly holds: (key: string) => boolean;
  readonly Link?: () => ReactNode;
}

const GROUPS: readonly Group[] = [
  {
    title: m.programme_settings_rails,
    holds: (key) => key.startsWith('rate_'),
    Link: RateLink,
  },
  {
    title: m.programme_settings_limits,
    holds: (key) => !key.startsWith('rate_') && !key.startsWith('policy_'),
  },
  {
    title: m.programme_settings_policies,
    holds: (key) => key.startsWith('policy_'),
  },
];

export function SettingsScreen() {
  const { item, failure, reload } = useAdminItem('settings', {});
  const [changed, setChanged] = useState<Setting>();
  return (
    <Page title={m.programme_settings_title()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.programme_settings_lead()}</p>
      {item === undefined && failure === undefined && <Skeleton className="h-96 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item !== undefined && (
        <div className="max-w-wide flex flex-col gap-8 pb-8">
          {GROUPS.map((group) => (
            <SettingGroup
              key={group.title()}
              group={group}
              settings={item.items.filter(({ key }) => group.holds(key))}
              onChange={setChanged}
            />
          ))}
          <Fixed settings={item} />
        </div>
      )}
      {changed !== undefined && (
        <SettingDialog setting={changed} onClose={() => setChanged(undefined)} />
      )}
    </Page>
  );
}

interface SettingGroupProps {
  group: Group;
  settings: readonly Setting[];
  onChange: (setting: Setting) => void;
}

function SettingGroup({ group: { title, Link }, settings, onChange }: SettingGroupProps) {
  return (
    <Section title={title()} actions={Link !== undefined && <Link />}>
      <ul aria-label={title()} className="divide-line flex flex-col divide-y">
        {settings.map((setting) => (
          <li key={setting.key}>
            <SettingRow setting={setting} onChange={() => onChange(setting)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Links to the screen that shows the effect of the guard rails. */
function RateLink() {
  const holds = useHolds();
  return holds('rate.read') ? <ObjectLink to={paths.rate}>{m.rate_title()}</ObjectLink> : null;
}

function SettingRow({ setting, onChange }: { setting: Setting; onChange: () => void }) {
  const { key, about, approvalId } = setting;
  const lack = useLack();
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2 py-3">
      <div className="flex min-w-0 grow basis-64 flex-col gap-1">
        <h3 className="text-dense font-semibold">{about}</h3>
        <p className="font-code text-caption text-ink-quiet wrap-anywhere">{key}</p>
        <Origin setting={setting} />
      </div>
      <div className="min-w-0 basis-80">
        <SettingValue setting={setting} />
      </div>
      <div className="ml-auto flex basis-36 justify-end text-right">
        {approvalId === null ? (
          <Button
            variant="quiet"
            isDense
            aria-label={m.programme_setting_change_of({ key })}
            disabledReason={lack('settings.edit')}
            onClick={onChange}
          >
            {m.programme_setting_change()}
          </Button>
        ) : (
          <ObjectLink to={paths.approval(approvalId)}>{m.programme_setting_asked()}</ObjectLink>
        )}
      </div>
    </div>
  );
}

function SettingValue({ setting: { value } }: { setting: Setting }) {
  const facts = settingFacts(value);
  return isPolicy(value) ? (
    <Facts facts={facts} />
  ) : (
    <p className="amount text-dense font-semibold wrap-anywhere">{facts[0]?.value}</p>
  );
}

/** Links to the audit entries with each change of the setting. */
const historyOf = (key: string): string =>
  new URLSearchParams({ subjectType: 'setting', subjectId: key }).toString();

/** Whether it has its default; otherwise who changed it, when, and what the default is. */
function Origin({ setting: { key, byDefault, changed } }: { setting: Setting }) {
  const holds = useHolds();
  if (changed === null) {
    return <p className="text-caption text-ink-quiet">{m.programme_setting_default()}</p>;
  }
  return (
    <div className="text-caption text-ink-quiet flex flex-col items-start gap-1">
      <Badge tone="info">{m.programme_setting_changed()}</Badge>
      <p>
        {changed.by}, <Time at={changed.at} />
      </p>
      <p>{m.programme_setting_default_is({ value: settingText(byDefault) })}</p>
      {holds('audit.read') && (
        <ObjectLink to={`${paths.audit}?${historyOf(key)}`}>
          {m.programme_setting_history()}
        </ObjectLink>
      )}
    </div>
  );
}

/** Values that cannot be changed here. */
function Fixed({ settings: { installation } }: { settings: Settings }) {
  return (
    <>
      <Section title={m.programme_settings_server()}>
        <p className="text-dense text-ink-quiet">{m.programme_settings_server_lead()}</p>
        <Facts
          facts={[
            { label: m.programme_time_zone(), value: installation.timeZone },
            { label: m.programme_seal_mail(), value: installation.sealMailTo ?? m.console_never() },
          ]}
        />
      </Section>
      <Section title={m.programme_settings_brand()}>
        <p className="text-dense text-ink-quiet">{m.programme_settings_brand_lead()}</p>
        <Facts
          facts={[
            { label: m.programme_brand_name(), value: brand.programmeName },
            { label: m.programme_brand_legal(), value: brand.legalName },
            { label: m.programme_brand_address(), value: brand.postalAddress },
            { label: m.programme_brand_support(), value: brand.supportAddress },
            { label: m.programme_brand_provider(), value: brand.provider.legalName },
            {
              label: m.programme_brand_tokens(),
              value: brand.tokens.map(({ symbol }) => symbol).join(', '),
            },
          ]}
        />
      </Section>
    </>
  );
}

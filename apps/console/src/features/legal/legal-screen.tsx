/** The legal texts in force, and every version that staff have made. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { NewVersionDialog } from './draft-dialogs.tsx';
import { KIND_TITLES, STATES, type LegalTexts } from './legal-words.ts';

export function LegalScreen() {
  const { item, failure, reload } = useAdminItem('legalTexts', {});
  const [isAdding, setIsAdding] = useState(false);
  const navigate = useNavigate();
  const lack = useLack();
  return (
    <Page
      title={m.legal_title()}
      actions={
        <Button isDense disabledReason={lack('legal.publish')} onClick={() => setIsAdding(true)}>
          {m.legal_new()}
        </Button>
      }
    >
      <p className="text-dense text-ink-quiet max-w-column">{m.legal_lead()}</p>
      {item === undefined && failure === undefined && <Skeleton className="h-72 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item !== undefined && (
        <div className="max-w-column flex flex-col gap-8 pb-8">
          <InForce texts={item.inForce} />
          <Versions items={item.items} />
        </div>
      )}
      {isAdding && item !== undefined && (
        <NewVersionDialog
          inForce={item.inForce}
          onClose={(addedId) => {
            setIsAdding(false);
            if (addedId !== undefined) void navigate(paths.legalText(addedId));
          }}
        />
      )}
    </Page>
  );
}

const rowClass = 'text-dense flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1.5';

const InForce = ({ texts }: { texts: LegalTexts['inForce'] }) => (
  <Section title={m.legal_in_force()}>
    <ul aria-label={m.legal_in_force()} className="divide-line flex flex-col divide-y">
      {texts.map(({ kind, label, inForceFrom, id }) => {
        const title = m.legal_version_of({ text: KIND_TITLES[kind](), label });
        return (
          <li key={kind} className={rowClass}>
            <span className="grow basis-48 font-semibold">
              {id === null ? title : <ObjectLink to={paths.legalText(id)}>{title}</ObjectLink>}
            </span>
            {id === null && <Badge>{m.legal_built_in()}</Badge>}
            <span className="text-ink-quiet">
              {m.legal_since()} <Time at={inForceFrom} />
            </span>
          </li>
        );
      })}
    </ul>
  </Section>
);

const Versions = ({ items }: { items: LegalTexts['items'] }) => (
  <Section title={m.legal_versions()}>
    {items.length === 0 ? (
      <p className="text-dense text-ink-quiet">{m.legal_versions_none()}</p>
    ) : (
      <ul aria-label={m.legal_versions()} className="divide-line flex flex-col divide-y">
        {items.map(({ id, kind, label, state, editedBy, editedAt, inForceFrom, approvalId }) => (
          <li key={id} className={rowClass}>
            <span className="grow basis-48">
              <ObjectLink to={paths.legalText(id)}>
                {m.legal_version_of({ text: KIND_TITLES[kind](), label })}
              </ObjectLink>
            </span>
            <Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>
            {approvalId !== null && (
              <ObjectLink to={paths.approval(approvalId)}>{m.legal_publish_asked()}</ObjectLink>
            )}
            <span className="text-ink-quiet">
              {inForceFrom === null ? (
                <>
                  {editedBy}, <Time at={editedAt} />
                </>
              ) : (
                <Time at={inForceFrom} />
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Section>
);

/** One version of a legal text: its changes, its appearance to customers, and its publication. */
import { readLegalText } from '@athos/domain/legal-text';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { LegalParagraphs } from '@athos/ui/text/legal-paragraphs';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { DiscardDialog, EditVersionDialog, PublishDialog } from './draft-dialogs.tsx';
import { KIND_TITLES, STATES, type LegalVersion } from './legal-words.ts';
import { textDifference } from './text-difference.ts';

export function LegalVersionScreen() {
  const { id = '' } = useParams();
  const read = useAdminItem('legalTextVersion', { params: { id } });
  return (
    <DetailOf read={read} kind={m.legal_title()} backTo={paths.legal}>
      {(text) => <Version key={text.id} text={text} />}
    </DetailOf>
  );
}

type Act = 'edit' | 'publish' | 'discard';

function Version({ text }: { text: LegalVersion }) {
  const { id, kind, label, state, body, before } = text;
  const [act, setAct] = useState<Act>();
  const navigate = useNavigate();
  const title = m.legal_version_of({ text: KIND_TITLES[kind](), label });
  const close = (): void => setAct(undefined);
  return (
    <Detail
      kind={m.legal_title()}
      title={title}
      plainTitle={title}
      backTo={paths.legal}
      state={<Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>}
      actions={state === 'draft' && <Acts text={text} onAct={setAct} />}
    >
      <VersionFacts text={text} />
      <div className="max-w-column flex flex-col gap-8">
        <Section title={m.legal_difference({ label: before.label })}>
          <Difference before={before.body} after={body} />
        </Section>
        <Section title={m.legal_preview()}>
          <div className="bg-surface rounded-medium inset-ring-line text-body flex flex-col gap-4 p-6 inset-ring">
            <LegalParagraphs {...readLegalText(body)} headingLevel="h3" />
          </div>
        </Section>
        <AuditOf type="legal_text" id={String(id)} />
      </div>
      {act === 'edit' && <EditVersionDialog text={text} onClose={close} />}
      {act === 'publish' && <PublishDialog text={text} onClose={close} />}
      {act === 'discard' && (
        <DiscardDialog
          text={text}
          onClose={(isDone) => (isDone ? void navigate(paths.legal) : close())}
        />
      )}
    </Detail>
  );
}

function Acts({ text, onAct }: { text: LegalVersion; onAct: (act: Act) => void }) {
  const lack = useLack()('legal.publish');
  return (
    <>
      <Button variant="plain" isDense disabledReason={lack} onClick={() => onAct('discard')}>
        {m.legal_discard()}
      </Button>
      <Button variant="quiet" isDense disabledReason={lack} onClick={() => onAct('edit')}>
        {m.legal_edit()}
      </Button>
      {text.approvalId === null ? (
        <Button isDense disabledReason={lack} onClick={() => onAct('publish')}>
          {m.legal_publish()}
        </Button>
      ) : (
        <ObjectLink to={paths.approval(text.approvalId)}>{m.legal_publish_asked()}</ObjectLink>
      )}
    </>
  );
}

const VersionFacts = ({ text }: { text: LegalVersion }) => (
  <Facts
    facts={[
      { label: m.legal_replaces(), value: text.before.label },
      { label: m.legal_edited(), value: <Time at={text.editedAt} /> },
      { label: m.legal_edited_by(), value: text.editedBy },
      {
        label: m.legal_published(),
        value: text.publishedAt !== null && <Time at={text.publishedAt} />,
        isHidden: text.publishedAt === null,
      },
      {
        label: m.legal_published_by(),
        value: text.publishedBy,
        isHidden: text.publishedBy === null,
      },
      {
        label: m.legal_in_force_from(),
        value: text.inForceFrom !== null && <Time at={text.inForceFrom} />,
        isHidden: text.inForceFrom === null,
      },
    ]}
  />
);

/** Unchanged paragraphs are replaced by their number, because a change in a long text is easily missed among them. */
function Difference({ before, after }: { before: string; after: string }) {
  const parts = textDifference(before, after);
  const changed = parts.filter(({ kind }) => kind !== 'same');
  if (changed.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.legal_difference_none()}</p>;
  }
  return (
    <div className="text-dense flex flex-col gap-2">
      <p className="text-caption text-ink-quiet">
        {m.legal_unchanged({ count: parts.length - changed.length })}
      </p>
      {changed.map(({ kind, text }, index) =>
        kind === 'removed' ? (
          <del
            key={`${index} ${kind}`}
            className="bg-danger-surface text-danger rounded-dense px-3 py-2 wrap-anywhere whitespace-pre-wrap no-underline"
          >
            <strong>{m.legal_removed()}</strong> {text}
          </del>
        ) : (
          <ins
            key={`${index} ${kind}`}
            className="bg-success-surface text-success rounded-dense px-3 py-2 wrap-anywhere whitespace-pre-wrap no-underline"
          >
            <strong>{m.legal_added()}</strong> {text}
          </ins>
        ),
      )}
    </div>
  );
}

/** What staff did about one object, for those who may read the audit. Loaded by itself: its sentences are many, and it stands last. */
import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense } from 'react';
import { Section } from './detail.tsx';
import { useHolds } from './permission.ts';

const AuditEntries = lazy(async () => ({
  default: (await import('./audit-entries.tsx')).AuditEntries,
}));

export interface AuditOfProps {
  /** The kind of the object in the audit. */
  type: string;
  id: string;
}

export function AuditOf(props: AuditOfProps) {
  const holds = useHolds();
  if (!holds('audit.read')) return null;
  return (
    <Suspense fallback={<Loading />}>
      <AuditEntries {...props} />
    </Suspense>
  );
}

const Loading = () => (
  <Section title={m.console_audit_title()}>
    <Skeleton className="h-16 w-full" />
  </Section>
);

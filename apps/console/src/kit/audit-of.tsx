/**
 * Audit entries about one object, for people who may read the audit. Loaded separately, because it has many sentences and is the last part
 * of the screen.
 */
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

import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface NoticeProps {
  kind: 'info' | 'success' | 'danger';
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

const KINDS = {
  info: { icon: Info, colours: 'bg-info-surface text-info' },
  success: { icon: CircleCheck, colours: 'bg-success-surface text-success' },
  danger: { icon: CircleAlert, colours: 'bg-danger-surface text-danger' },
};

/** A message that stays, such as a form's error or a pending purchase. */
export function Notice({ kind, title, children, action }: NoticeProps) {
  const { icon: Icon, colours } = KINDS[kind];
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'status'}
      className={classNames('rounded-medium p-gutter flex gap-3', colours)}
    >
      <Icon size={20} aria-hidden className="mt-0.5 shrink-0" />
      <div className="flex min-w-0 grow flex-col gap-1">
        {title !== undefined && <p className="font-semibold break-words">{title}</p>}
        {children !== undefined && <div className="text-body text-ink text-pretty">{children}</div>}
        {action !== undefined && <div className="pt-2">{action}</div>}
      </div>
    </div>
  );
}

import { m } from '@athos/messages/messages';
import { Initial } from '@athos/ui/primitives/avatar';

/** The name that a recipient has chosen. The sender must not take it for a verified one. */
export function OwnName({ name }: { name: string }) {
  return (
    <span className="text-caption flex items-center gap-2 font-normal">
      <Initial name={name} />
      <span className="break-keep wrap-anywhere">
        <bdi>{name}</bdi> {m.send_summary_own_name()}
      </span>
    </span>
  );
}

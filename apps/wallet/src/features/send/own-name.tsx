import { m } from '@athos/messages/messages';
import { Initial } from '@athos/ui/primitives/avatar';

/** What a recipient calls themselves. The sender must not take it for something that anybody has checked. */
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

import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useAdminItem } from '../../api/admin.ts';

interface RolePickerProps {
  roleIds: readonly string[];
  onChange: (roleIds: readonly string[]) => void;
}

/** The roles that a person holds, built-in ones and the programme's own. */
export function RolePicker({ roleIds, onChange }: RolePickerProps) {
  const { item } = useAdminItem('roleList', {});
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-caption text-ink-quiet pb-1 font-semibold">
        {m.console_me_roles()}
      </legend>
      {item === undefined && <Skeleton className="h-32 w-full" />}
      {item?.items.map(({ id, title }) => (
        <Checkbox
          key={id}
          isChecked={roleIds.includes(id)}
          onCheckedChange={(isChecked) =>
            onChange(isChecked ? [...roleIds, id] : roleIds.filter((other) => other !== id))
          }
        >
          <span className="text-body">{title}</span>
        </Checkbox>
      ))}
    </fieldset>
  );
}

import { m } from '@athos/messages/messages';
import { buttonClass } from '@athos/ui/primitives/button-class';
import Columns3 from 'lucide-react/icons/columns-3';
import type { ListView } from './list-view.ts';
import { MenuButton } from './popup-button.tsx';
import type { Column } from './table.tsx';

/** The first column always stays, because it holds the link of the row. */
export const shownColumns = <Row,>(
  columns: readonly Column<Row>[],
  ids: readonly string[] | undefined,
): readonly Column<Row>[] =>
  ids === undefined
    ? columns
    : columns.filter((column, index) => index === 0 || ids.includes(column.id));

interface ColumnChoiceProps<Row> {
  columns: readonly Column<Row>[];
  view: ListView;
}

/** Chooses the columns of a list. The choice is part of the address. */
export function ColumnChoice<Row>({ columns, view }: ColumnChoiceProps<Row>) {
  const shown = shownColumns(columns, view.columnIds).map(({ id }) => id);
  function handleChange(id: string, isShown: boolean): void {
    const next = columns
      .map((column) => column.id)
      .filter((other) => (other === id ? isShown : shown.includes(other)));
    view.setColumns(next.length === columns.length ? undefined : next);
  }
  return (
    <MenuButton
      actions={columns.slice(1).map(({ id, title }) => ({
        label: title,
        isChecked: shown.includes(id),
        onPress: () => handleChange(id, !shown.includes(id)),
      }))}
      triggerClass={buttonClass({ variant: 'quiet', isDense: true })}
      trigger={
        <>
          <Columns3 size={16} aria-hidden />
          {m.console_columns()}
        </>
      }
    />
  );
}

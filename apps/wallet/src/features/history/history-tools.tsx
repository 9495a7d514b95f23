import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { withDecimalPoint } from '@athos/ui/money/amount-input';
import { Button } from '@athos/ui/primitives/button';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { saveText } from '@athos/ui/primitives/save-text';
import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import {
  DIRECTIONS,
  fetchAllMovements,
  MOVEMENT_TYPES,
  type HistoryFilter,
} from '../../api/history.ts';
import { fetchMovementNotes, labelsOf, useMovementNotes } from '../../api/movement-notes.ts';
import { useContacts } from '../../state/contacts.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { historyFile } from './history-file.ts';
import { amountOf, periodsAt, WORDS_LENGTH_MAX, wordsOf, type Period } from './history-filter.ts';
import { useTypedFilter } from './typed-filter.ts';

const ALL = 'all';
/** A range of days that matches none of the periods. */
const OTHER = 'other';
const PERIODS: readonly Period[] = ['this_month', 'last_month', 'this_year'];

const TYPE_LABELS = {
  Payment: m.history_type_payment,
  Purchase: m.history_type_purchase,
  Send: m.history_type_send,
  Receive: m.history_type_receive,
  Reward: m.history_type_reward,
} as const satisfies Record<(typeof MOVEMENT_TYPES)[number], () => string>;

interface HistoryToolsProps {
  filter: HistoryFilter;
  onChange: (filter: HistoryFilter) => void;
}

/** Filters the history and exports all matching movements to a file. */
export function HistoryTools({ filter, onChange }: HistoryToolsProps) {
  const { type, from, to } = filter;
  return (
    <section aria-label={m.history_tools()} className="flex flex-col gap-4">
      <ChoiceRow
        legend={m.history_file_type()}
        options={[
          { value: ALL, label: m.history_type_all() },
          ...MOVEMENT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value]() })),
        ]}
        value={type ?? ALL}
        onValueChange={(chosen) => {
          onChange({ ...filter, type: MOVEMENT_TYPES.find((known) => known === chosen) });
        }}
      />
      <PeriodFilter filter={filter} onChange={onChange} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3">
        <TextField
          type="date"
          label={m.history_filter_from()}
          value={from ?? ''}
          max={to}
          onValueChange={(day) => onChange({ ...filter, from: day === '' ? undefined : day })}
        />
        <TextField
          type="date"
          label={m.history_filter_to()}
          value={to ?? ''}
          min={from}
          onValueChange={(day) => onChange({ ...filter, to: day === '' ? undefined : day })}
        />
      </div>
      <AmountFilter filter={filter} onChange={onChange} />
      <WordFilter filter={filter} onChange={onChange} />
      <Export filter={filter} />
    </section>
  );
}

/** Offers the most common periods, and a range between any two days. */
function PeriodFilter({ filter, onChange }: HistoryToolsProps) {
  const [periods] = useState(() => periodsAt(new Date()));
  const { from, to } = filter;
  const chosen = PERIODS.find((name) => periods[name].from === from && periods[name].to === to);
  return (
    <ChoiceRow<Period | typeof ALL | typeof OTHER>
      legend={m.history_period()}
      options={[
        { value: ALL, label: m.history_type_all() },
        { value: 'this_month', label: m.history_period_this_month() },
        { value: 'last_month', label: m.history_period_last_month() },
        { value: 'this_year', label: m.history_period_this_year() },
      ]}
      value={from === undefined && to === undefined ? ALL : (chosen ?? OTHER)}
      onValueChange={(value) => {
        const name = PERIODS.find((period) => period === value);
        const days = name === undefined ? { from: undefined, to: undefined } : periods[name];
        onChange({ ...filter, ...days });
      }}
    />
  );
}

const DIRECTION_LABELS = {
  in: m.history_direction_in,
  out: m.history_direction_out,
} as const satisfies Record<(typeof DIRECTIONS)[number], () => string>;

/** Filters by direction and by a minimum and maximum amount. */
function AmountFilter({ filter, onChange }: HistoryToolsProps) {
  return (
    <>
      <ChoiceRow
        legend={m.history_direction()}
        options={[
          { value: ALL, label: m.history_type_all() },
          ...DIRECTIONS.map((value) => ({ value, label: DIRECTION_LABELS[value]() })),
        ]}
        value={filter.direction ?? ALL}
        onValueChange={(chosen) => {
          onChange({ ...filter, direction: DIRECTIONS.find((known) => known === chosen) });
        }}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3">
        <AmountField
          label={m.history_amount_min()}
          written={filter.min}
          onWrite={(min) => onChange({ ...filter, min })}
        />
        <AmountField
          label={m.history_amount_max()}
          written={filter.max}
          onWrite={(max) => onChange({ ...filter, max })}
        />
      </div>
    </>
  );
}

interface AmountFieldProps {
  label: string;
  written: string | undefined;
  onWrite: (amount: string | undefined) => void;
}

function AmountField({ label, written, onWrite }: AmountFieldProps) {
  const [text, setText] = useTypedFilter({ written, read: amountOf, onWrite });
  const isWrong = text.trim() !== '' && amountOf(text) === undefined;
  return (
    <TextField
      inputMode="decimal"
      label={label}
      value={text}
      error={isWrong ? m.history_amount_invalid() : undefined}
      onValueChange={(next) => setText(withDecimalPoint(text, next))}
    />
  );
}

/** With more labels than this, typing a label is faster than looking for its chip. */
const LABELS_SHOWN_MAX = 12;

/** Filters by words in the user's notes and labels and in the titles of purchases. */
function WordFilter({ filter, onChange }: HistoryToolsProps) {
  const notes = useMovementNotes();
  const [words, setWords] = useTypedFilter({
    written: filter.q,
    read: wordsOf,
    onWrite: (q) => onChange({ ...filter, q }),
  });
  const labels = labelsOf(notes).slice(0, LABELS_SHOWN_MAX);
  return (
    <>
      <TextField
        type="search"
        label={m.history_search_notes()}
        value={words}
        maxLength={WORDS_LENGTH_MAX}
        enterKeyHint="search"
        onValueChange={setWords}
      />
      {labels.length > 0 && (
        <ChoiceRow
          legend={m.history_label()}
          options={[
            { value: '', label: m.history_type_all() },
            ...labels.map((label) => ({ value: label, label })),
          ]}
          value={filter.label ?? ''}
          onValueChange={(label) => {
            onChange({ ...filter, label: label === '' ? undefined : label });
          }}
        />
      )}
    </>
  );
}

/** The count of movements fetched so far; `failed` until the next attempt. */
type Exporting = number | 'failed' | undefined;

function Export({ filter }: { filter: HistoryFilter }) {
  const contacts = useContacts();
  const offlineReason = useOfflineReason();
  const [exporting, setExporting] = useState<Exporting>();
  const leaving = useRef<AbortController>(undefined);
  useEffect(() => () => leaving.current?.abort(), []);

  async function handleExport(): Promise<void> {
    const controller = new AbortController();
    leaving.current = controller;
    setExporting(0);
    try {
      const notes = await fetchMovementNotes();
      const movements = await fetchAllMovements(filter, {
        signal: controller.signal,
        onProgress: setExporting,
      });
      await saveText(historyFile(movements, contacts, notes), {
        name: m.history_file_name(),
        type: 'text/csv;charset=utf-8',
      });
      setExporting(undefined);
    } catch {
      if (!controller.signal.aborted) setExporting('failed');
    }
  }

  const isRunning = typeof exporting === 'number';
  return (
    <>
      <Button
        variant="quiet"
        isWide
        icon={<Download size={18} aria-hidden />}
        isPending={isRunning}
        disabledReason={offlineReason}
        onClick={() => void handleExport()}
      >
        {isRunning ? m.history_exporting({ count: exporting }) : m.history_export()}
      </Button>
      {exporting === 'failed' && (
        <FailureNotice text={m.history_export_failed()} onTryAgain={() => void handleExport()} />
      )}
    </>
  );
}

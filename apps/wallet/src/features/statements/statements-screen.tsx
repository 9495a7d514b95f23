import { brand } from '@athos/brand/brand';
import { ApiError } from '@athos/client/errors';
import { TOKEN_ASSETS, type TokenAsset } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { ChoiceRow } from '@athos/ui/primitives/choice-row';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { List, ListRow } from '@athos/ui/primitives/list-row';
import { saveFile } from '@athos/ui/primitives/save-text';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { showFailure } from '../../api/session.ts';
import {
  FILE_FORMATS,
  fetchStatement,
  statementsQuery,
  type FileFormat,
} from '../../api/statements.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { BalanceChart } from './balance-chart.tsx';
import { symbolOf } from './symbol.ts';

const SKELETON_ROW_COUNT = 4;

/** The balance over time, and a statement file for each month. */
export function StatementsScreen() {
  const [asset, setAsset] = useState<TokenAsset>('ATH');
  return (
    <Screen title={m.statements_screen_title()} backTo={paths.history} width="form">
      {brand.tokens.length > 1 && (
        <ChoiceRow
          legend={m.statements_screen_token()}
          options={TOKEN_ASSETS.map((code) => ({ value: code, label: symbolOf(code) }))}
          value={asset}
          onValueChange={setAsset}
        />
      )}
      <BalanceChart key={asset} asset={asset} />
      <Months asset={asset} />
    </Screen>
  );
}

/** `October 2026` */
const monthName = (month: string): string =>
  new Date(`${month}-15T12:00:00Z`).toLocaleDateString('en-US', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

function Months({ asset }: { asset: TokenAsset }) {
  const headingId = useId();
  const [format, setFormat] = useState<FileFormat>('pdf');
  const { data: months, isError, refetch } = useQuery(statementsQuery);
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <h2 id={headingId} className="font-display text-title font-bold">
          {m.statements_screen_months()}
        </h2>
        <p className="text-body text-ink-quiet text-pretty">{m.statements_screen_text()}</p>
      </div>
      <ChoiceRow
        legend={m.statements_screen_format()}
        options={FILE_FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        value={format}
        onValueChange={setFormat}
      />
      {months !== undefined ? (
        <List label={m.statements_screen_months()}>
          {months.map((month, index) => (
            <ListRow
              key={month}
              title={monthName(month)}
              {...(index === 0 && { subtitle: m.statements_screen_running() })}
              control={<SaveButton month={month} asset={asset} format={format} />}
            />
          ))}
        </List>
      ) : isError ? (
        <FailureNotice text={m.statements_screen_failed()} onTryAgain={() => void refetch()} />
      ) : (
        <SkeletonRows count={SKELETON_ROW_COUNT} label={m.statements_screen_loading()} />
      )}
    </section>
  );
}

function failureText(error: unknown, format: FileFormat): string {
  if (!(error instanceof ApiError) || error.code !== 'too_many_movements') {
    return m.statements_screen_file_failed();
  }
  return format === 'pdf' ? m.statements_screen_too_many_for_pdf() : m.statements_screen_too_many();
}

interface SaveButtonProps {
  month: string;
  asset: TokenAsset;
  format: FileFormat;
}

function SaveButton({ month, asset, format }: SaveButtonProps) {
  const offlineReason = useOfflineReason();
  const [isMaking, setIsMaking] = useState(false);

  async function handleSave(): Promise<void> {
    const show = toasts.attempt('statement');
    setIsMaking(true);
    try {
      await saveFile(
        await fetchStatement(month, { format, asset }),
        `statement-${month}.${format}`,
      );
    } catch (error) {
      showFailure(show, failureText(error, format), error);
    }
    setIsMaking(false);
  }

  return (
    <Button
      variant="quiet"
      isCompact
      aria-label={m.statements_screen_file_of({
        format: format.toUpperCase(),
        month: monthName(month),
      })}
      isPending={isMaking}
      disabledReason={offlineReason}
      onClick={() => void handleSave()}
    >
      {m.statements_screen_save()}
    </Button>
  );
}

import type { ErrorCode } from '@athos/contract/errors';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { paths } from '../../routes/paths.ts';
import { NextButton, Panel, useFocusAtFirst } from './panel.tsx';
import { refusalText } from './refusal-text.ts';
import { Verdict } from './verdict.tsx';

interface RefusedPanelProps {
  code: ErrorCode | undefined;
  notice: string;
  isVenueChoosable: boolean;
  onNext: () => void;
}

/** The reason why a code was refused, and what to do. */
export function RefusedPanel({ code, notice, isVenueChoosable, onNext }: RefusedPanelProps) {
  const { title, advice, isAboutVenue } = refusalText(code, notice);
  return (
    <Panel
      action={
        <>
          <NextButton onNext={onNext} />
          {isAboutVenue && isVenueChoosable && (
            <ButtonLink to={paths.venue} variant="quiet" isWide>
              {m.scanner_app_choose_venue()}
            </ButtonLink>
          )}
        </>
      }
    >
      <Verdict tone="bad" title={title}>
        {advice}
      </Verdict>
    </Panel>
  );
}

/** Shown if there was no response about the content of the code. */
export function LostPanel(props: { isOver: boolean; onAgain: () => void; onNext: () => void }) {
  const again = useFocusAtFirst<HTMLButtonElement>();
  return (
    <Panel
      action={
        <>
          <Button ref={again} isWide onClick={props.onAgain}>
            {m.common_try_again()}
          </Button>
          <Button variant="plain" onClick={props.onNext}>
            {m.scanner_app_cancel()}
          </Button>
        </>
      }
    >
      <Verdict tone="open" title={m.scanner_app_lost_title()}>
        {m.scanner_app_lost()}
      </Verdict>
      {!props.isOver && (
        <p className="text-body text-ink-quiet text-center text-pretty">
          {m.scanner_app_unknown_waiting()}
        </p>
      )}
    </Panel>
  );
}

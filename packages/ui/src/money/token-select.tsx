import { Select } from '@base-ui/react/select';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useRef } from 'react';
import { formatAthRoundedUp } from '@athos/domain/money';
import type { TokenAsset, TokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Skeleton } from '../primitives/skeleton.tsx';
import { TokenIcon, tokenBrand } from './token-icon.tsx';

export interface TokenOption {
  code: TokenAsset;
  /** `undefined` while it is loading. */
  balance: TokenUnits | undefined;
}

export interface TokenSelectProps {
  options: readonly TokenOption[];
  value: TokenAsset;
  onValueChange: (code: TokenAsset) => void;
}

/** Spec 2: lists each token with balance and icon. It loads Base UI, so use it only in lazily loaded screens. */
export function TokenSelect({ options, value, onValueChange }: TokenSelectProps) {
  const chosen = options.find((option) => option.code === value);
  // Rendered inside the screen's landmark. At the end of the page it would be outside every landmark.
  const place = useRef<HTMLDivElement>(null);
  return (
    <Select.Root
      modal={false}
      value={value}
      onValueChange={(code) => {
        if (code !== null) onValueChange(code);
      }}
    >
      <div ref={place}>
        <Select.Trigger
          aria-label={m.send_token_label()}
          className="rounded-medium bg-surface inset-ring-line-strong hover:bg-sunken flex min-h-16 w-full items-center gap-3 px-4 py-3 text-left inset-ring transition-colors duration-150 ease-out"
        >
          {chosen !== undefined && <TokenLine option={chosen} />}
          <Select.Icon className="text-ink-quiet shrink-0">
            <ChevronDown size={20} aria-hidden />
          </Select.Icon>
        </Select.Trigger>
        <Select.Portal container={place}>
          <Select.Positioner className="z-50" sideOffset={6} alignItemWithTrigger={false}>
            <Select.Popup className="rounded-medium bg-raised text-ink shadow-raised inset-ring-line w-(--anchor-width) p-1.5 inset-ring outline-none transition duration-150 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0">
              {options.map((option) => (
                <Select.Item
                  key={option.code}
                  value={option.code}
                  label={tokenBrand(option.code).symbol}
                  className="rounded-small data-highlighted:bg-sunken flex min-h-14 cursor-pointer items-center gap-3 px-2.5 py-2 outline-none"
                >
                  <TokenLine option={option} />
                  <Select.ItemIndicator className="text-accent-text shrink-0">
                    <Check size={20} aria-hidden />
                  </Select.ItemIndicator>
                </Select.Item>
              ))}
            </Select.Popup>
          </Select.Positioner>
        </Select.Portal>
      </div>
    </Select.Root>
  );
}

/** A token with icon, name and balance. It replaces the selector on the summary (spec 2). */
export function TokenLine({ option }: { option: TokenOption }) {
  const token = tokenBrand(option.code);
  return (
    <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
      <TokenIcon code={option.code} />
      <span className="flex min-w-0 flex-[1_1_6rem] flex-wrap items-center gap-x-3">
        <span className="flex min-w-0 flex-[1_1_5rem] flex-col">
          <span className="text-body font-semibold">{token.symbol}</span>
          <span className="text-caption text-ink-quiet">{token.name}</span>
        </span>
        <span className="text-body tabular ml-auto max-w-full text-right font-semibold">
          {option.balance === undefined ? (
            <Skeleton className="h-4 w-16" />
          ) : (
            formatAthRoundedUp(option.balance)
          )}
        </span>
      </span>
    </span>
  );
}

/** Lists whose opened item is a separate screen on a phone, and beside the list on a desktop. */
import { m } from '@athos/messages/messages';
import { useHasRoomBeside } from '@athos/ui/layout/room';
import { ListDetail } from '@athos/ui/layout/list-detail';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import QrCodeIcon from 'lucide-react/icons/qr-code';
import ReceiptText from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { useOutlet } from 'react-router';
import { HistoryScreen } from '../features/history/history-screen.tsx';
import { MyPurchasesScreen } from '../features/purchases/my-purchases-screen.tsx';

export function HistoryWithDetail() {
  const nothingChosen = (
    <EmptyState
      icon={<ReceiptText size={28} />}
      title={m.history_choose_title()}
      text={m.history_choose_text()}
    />
  );
  return <WithDetail list={<HistoryScreen />} nothingChosen={nothingChosen} />;
}

export function PurchasesWithDetail() {
  const nothingChosen = (
    <EmptyState
      icon={<QrCodeIcon size={28} />}
      title={m.purchases_choose_title()}
      text={m.purchases_choose_text()}
    />
  );
  return <WithDetail list={<MyPurchasesScreen />} nothingChosen={nothingChosen} />;
}

function WithDetail({ list, nothingChosen }: { list: ReactNode; nothingChosen: ReactNode }) {
  const detail = useOutlet();
  const hasRoom = useHasRoomBeside();
  if (hasRoom) {
    const pane = detail ?? (
      <aside className="rounded-large bg-sunken/60 py-16">{nothingChosen}</aside>
    );
    return <ListDetail list={list} detail={pane} />;
  }
  return detail ?? list;
}

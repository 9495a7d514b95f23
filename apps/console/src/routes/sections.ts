/** The menus of the console. A screen appears in them, in the palette and under its keys if the person holds its permission. */
import type { Permission } from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import Activity from 'lucide-react/icons/activity';
import ListTodo from 'lucide-react/icons/list-todo';
import Mails from 'lucide-react/icons/mails';
import OctagonPause from 'lucide-react/icons/octagon-pause';
import Signature from 'lucide-react/icons/signature';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import ChartSpline from 'lucide-react/icons/chart-spline';
import Download from 'lucide-react/icons/download';
import FolderTree from 'lucide-react/icons/folder-tree';
import Gift from 'lucide-react/icons/gift';
import Handshake from 'lucide-react/icons/handshake';
import Images from 'lucide-react/icons/images';
import KeyRound from 'lucide-react/icons/key-round';
import Medal from 'lucide-react/icons/medal';
import ScanLine from 'lucide-react/icons/scan-line';
import ScanQrCode from 'lucide-react/icons/scan-qr-code';
import ScanSearch from 'lucide-react/icons/scan-search';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShoppingBag from 'lucide-react/icons/shopping-bag';
import Smartphone from 'lucide-react/icons/smartphone';
import Split from 'lucide-react/icons/split';
import Stamp from 'lucide-react/icons/stamp';
import Tag from 'lucide-react/icons/tag';
import Store from 'lucide-react/icons/store';
import TrendingUp from 'lucide-react/icons/trending-up';
import UserRound from 'lucide-react/icons/user-round';
import UsersRound from 'lucide-react/icons/users-round';
import { ApprovalCount } from '../features/approvals/approval-count.tsx';
import type { GuardedItem, NavSection } from '../features/shell/ways.ts';
import { books, cardMoney } from './money-menus.ts';
import { paths } from './paths.ts';

const work = (): readonly GuardedItem[] => [
  {
    path: paths.home,
    label: m.dashboard_title(),
    icon: ChartSpline,
    key: 'h',
    permission: 'dashboard.read',
  },
  {
    path: paths.approvals,
    label: m.approvals_title(),
    icon: Stamp,
    key: 'a',
    permission: 'approvals.read',
    Count: ApprovalCount,
  },
  {
    path: paths.customers,
    label: m.customers_title(),
    icon: UserRound,
    key: 'c',
    permission: 'customers.read',
  },
  {
    path: paths.purchases,
    label: m.sales_title(),
    icon: ShoppingBag,
    key: 'o',
    permission: 'purchases.read',
  },
  {
    path: paths.redemptions,
    label: m.redemptions_title(),
    icon: ScanQrCode,
    key: 'e',
    permission: 'scans.read',
  },
];

const venues = (): readonly GuardedItem[] => [
  {
    path: paths.venues,
    label: m.venues_title(),
    icon: Store,
    key: 'y',
    permission: 'scans.read',
  },
  {
    path: paths.scanners,
    label: m.scanners_title(),
    icon: Smartphone,
    key: '1',
    permission: 'scans.read',
  },
  {
    path: paths.conflicts,
    label: m.conflicts_title(),
    icon: Split,
    // The comma, because every letter and digit is taken.
    key: ',',
    permission: 'scans.read',
  },
  {
    path: paths.scans,
    label: m.scans_title(),
    icon: ScanLine,
    key: 'q',
    permission: 'scans.read',
  },
];

const catalogue = (): readonly GuardedItem[] => [
  {
    path: paths.offers,
    label: m.catalogue_offers(),
    icon: Tag,
    key: 'g',
    permission: 'catalogue.read',
  },
  {
    path: paths.categories,
    label: m.catalogue_categories(),
    icon: FolderTree,
    key: 'k',
    permission: 'catalogue.read',
  },
  {
    path: paths.merchants,
    label: m.merchants_title(),
    icon: Handshake,
    key: '6',
    permission: 'catalogue.read',
  },
  {
    path: paths.pictures,
    label: m.pictures_title(),
    icon: Images,
    key: 'm',
    permission: 'catalogue.read',
  },
  {
    path: paths.tiers,
    label: m.ladder_title(),
    icon: Medal,
    key: '7',
    permission: 'catalogue.read',
  },
];

const rewards = (): readonly GuardedItem[] => [
  {
    path: paths.campaigns,
    label: m.campaigns_title(),
    icon: Gift,
    key: '3',
    permission: 'campaigns.read',
  },
  {
    path: paths.codes,
    label: m.codes_title(),
    icon: ScanSearch,
    key: 'z',
    permission: 'codes.look_up',
  },
];

const programme = (): readonly GuardedItem[] => [
  {
    path: paths.rate,
    label: m.rate_title(),
    icon: TrendingUp,
    key: 't',
    permission: 'rate.read',
  },
  {
    path: paths.brakes,
    label: m.brakes_title(),
    icon: OctagonPause,
    key: '8',
    permission: 'system.read',
  },
  {
    path: paths.settings,
    label: m.programme_settings_title(),
    icon: SlidersHorizontal,
    key: '9',
    permission: 'settings.read',
  },
  {
    path: paths.legal,
    label: m.legal_title(),
    icon: Signature,
    key: '0',
    permission: 'settings.read',
  },
];

const oversight = (): readonly GuardedItem[] => [
  {
    path: paths.system,
    label: m.system_title(),
    icon: Activity,
    key: '2',
    permission: 'system.read',
  },
  {
    path: paths.jobs,
    label: m.jobs_title(),
    icon: ListTodo,
    key: '4',
    permission: 'jobs.read',
  },
  {
    path: paths.mails,
    label: m.jobs_mails_title(),
    icon: Mails,
    key: '5',
    permission: 'jobs.read',
  },
  {
    path: paths.exports,
    label: m.exports_title(),
    icon: Download,
    key: 'x',
    permission: 'exports.create',
  },
  {
    path: paths.audit,
    label: m.console_audit_title(),
    icon: ScrollText,
    key: 'u',
    permission: 'audit.read',
  },
  {
    path: paths.staff,
    label: m.console_staff_title(),
    icon: UsersRound,
    key: 's',
    permission: 'staff.read',
  },
  {
    path: paths.roles,
    label: m.console_roles_title(),
    icon: KeyRound,
    key: 'r',
    permission: 'staff.read',
  },
];

const sections = (): readonly { title: string; items: readonly GuardedItem[] }[] => [
  { title: m.approvals_nav(), items: work() },
  { title: m.venues_nav(), items: venues() },
  { title: m.catalogue_nav(), items: catalogue() },
  { title: m.campaigns_nav(), items: rewards() },
  { title: m.disputes_nav(), items: cardMoney() },
  { title: m.ledger_nav(), items: books() },
  { title: m.rate_nav(), items: programme() },
  { title: m.console_nav_oversight(), items: oversight() },
];

/** Leaves out screens that the person may not open, and empty menus. */
export const permittedSections = (holds: (permission: Permission) => boolean): NavSection[] =>
  sections()
    .map(({ title, items }) => ({
      title,
      items: items.filter(({ permission }) => holds(permission)),
    }))
    .filter(({ items }) => items.length > 0);

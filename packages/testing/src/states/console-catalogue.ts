import { problem, silence } from '../fake-api.ts';
import {
  category,
  CATEGORY_ID,
  consoleOffer,
  draftOffer,
  OFFER_ID,
  PUBLISH_REQUEST_ID,
} from '../samples/console-catalogue.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure, seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const consoleCatalogueStates = [
  ...statesOf(
    'console-categories',
    { ...shared, path: '/console/categories' },
    {
      filled: { reach: seen('Bottles and cans') },
      open: { path: `/console/categories/${CATEGORY_ID}`, reach: seen('12 offers') },
      conflict: {
        path: `/console/categories/${CATEGORY_ID}`,
        answers: {
          changeCategory: () =>
            problem('version_conflict', { present: category(CATEGORY_ID, { title: 'Bottles' }) }),
        },
        async reach(page) {
          await press(page, 'Edit');
          await write(page, 'Title', 'Cans and bottles');
          await press(page, 'Save');
          await see(page, 'Bottles');
        },
      },
      refused: {
        path: `/console/categories/${CATEGORY_ID}`,
        answers: { archiveCategory: () => problem('category_in_use') },
        async reach(page) {
          await press(page, 'Archive');
          await see(page, 'Something in this category is still shown or on sale.');
        },
      },
      new: {
        async reach(page) {
          await press(page, 'New category');
          await see(page, 'Parent category');
        },
      },
      empty: { answers: { consoleCategories: () => ({ items: [] }) }, reach: seen('Nothing yet') },
      loading: { answers: { consoleCategories: silence } },
      failed: {
        answers: { consoleCategories: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-offers',
    { ...shared, path: '/console/offers' },
    {
      filled: { reach: seen('7 of 7 shown') },
      empty: { answers: { consoleOffers: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { consoleOffers: silence } },
      failed: { answers: { consoleOffers: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-offer',
    { ...shared, path: `/console/offers/${OFFER_ID}`, isWhole: true },
    {
      filled: { reach: seen('In its category') },
      dark: {
        async reach(page) {
          await see(page, 'In its category');
          await page.getByLabel('Theme', { exact: true }).selectOption('dark');
          await page.getByLabel('Width', { exact: true }).selectOption('desktop');
          await page.getByLabel('For a customer of tier').selectOption('2');
        },
      },
      draft: { answers: { consoleOffer: draftOffer }, reach: seen('In its category') },
      waiting: {
        answers: { consoleOffer: () => consoleOffer({ request_id: PUBLISH_REQUEST_ID }) },
        reach: seen('Open the request'),
      },
      support: {
        answers: { me: () => staffWith(['support']) },
        reach: seen(/Needs the permission catalogue.publish/),
      },
      edit: {
        async reach(page) {
          await press(page, 'Edit');
          await see(page, 'Add a price window');
          await press(page, 'Add a price window');
        },
      },
      publish: {
        async reach(page) {
          await press(page, 'Publish');
          await page.getByRole('dialog', { name: 'Publish' }).waitFor();
        },
      },
      count: {
        async reach(page) {
          await press(page, 'Count');
          await page.getByRole('dialog', { name: 'Count' }).waitFor();
          await write(page, 'Counted as left', '17');
        },
      },
      unchosen: {
        answers: { offerChoices: () => problem('internal_error') },
        reach: seeFailure,
      },
      missing: {
        answers: { consoleOffer: () => problem('not_found') },
        reach: seeMissing,
      },
    },
  ),
];

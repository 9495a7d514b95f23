/** The entry of the page's head script. */
import { startEarly } from './start-early.ts';

startEarly(document.currentScript?.dataset ?? {});

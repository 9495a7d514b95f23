/**
 * Finds layout faults of a page at narrow widths and large text: text that is cut off or overlaps other text, and anything that scrolls
 * sideways.
 */
import type { Page } from '@playwright/test';
import { readTexts, scrollsSideways, stuckShare, type Box, type Text } from './in-page.ts';

/** 320 px is also the width that remains of 1280 px at a zoom of 400 % (WCAG 1.4.10). */
const LAYOUTS = [
  { width: 320, height: 640, textPercent: 100 },
  { width: 390, height: 844, textPercent: 200 },
  { width: 320, height: 640, textPercent: 200 },
  { width: 1440, height: 900, textPercent: 200 },
] as const;
const SLACK_PX = 1.5;
/** The share of a line's box above and below its letters: the box is higher than the letters. */
const LETTERS = 0.25;
const OVERLAP_PX = 3;
/** The maximum share of the window that may be taken by fixed and sticky elements. */
const STUCK_SHARE_MAX = 0.5;

/** Leaves the page at the last width, with text of the usual size. */
export async function findLayoutFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { width, height, textPercent } of LAYOUTS) {
    await page.setViewportSize({ width, height });
    await page.evaluate(setTextSize, textPercent);
    const scrolling = await page.evaluate(scrollsSideways);
    const texts = await page.evaluate(readTexts);
    const stuck = await page.evaluate(stuckShare);
    if (stuck > STUCK_SHARE_MAX) scrolling.push(`${Math.round(stuck * 100)} % never scroll away`);
    const faults = new Set([...scrolling, ...texts.flatMap(cutOf), ...overlapsOf(texts)]);
    found.push(...[...faults].map((fault) => `${width} px, text ${textPercent} %: ${fault}`));
  }
  await page.evaluate(setTextSize, 100);
  return found;
}

/** Runs in the page. */
async function setTextSize(percent: number): Promise<void> {
  document.documentElement.style.fontSize = `${percent}%`;
  dispatchEvent(new Event('resize'));
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
}

/** Describes how a text is cut off, if it is. */
function cutOf({ name, box, clips }: Text): string[] {
  const slackY = Math.max(SLACK_PX, (box.bottom - box.top) * LETTERS);
  return clips.flatMap(({ name: by, box: edge, isAcross, isDown }) => {
    const isCutAcross =
      isAcross && (box.left < edge.left - SLACK_PX || box.right > edge.right + SLACK_PX);
    const isCutDown = isDown && (box.top < edge.top - slackY || box.bottom > edge.bottom + slackY);
    return isCutAcross || isCutDown ? [`${name} is cut off by ${by}`] : [];
  });
}

function overlapsOf(texts: readonly Text[]): string[] {
  const inFlow = texts.filter(({ isInFlow }) => isInFlow);
  return inFlow.flatMap((one, index) =>
    inFlow
      .slice(index + 1)
      .filter((other) => other.elementIndex !== one.elementIndex && liesOn(one.box, other.box))
      .map((other) => `${one.name} lies on ${other.name}`),
  );
}

function liesOn(one: Box, other: Box): boolean {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const height = Math.min(one.bottom - one.top, other.bottom - other.top);
  return across > OVERLAP_PX && down > height * (1 - 2 * LETTERS);
}

/** Functions that run in the page, so each must be self-contained. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The clipping of a text at its edges: by a box, or by the window. */
interface Clip {
  readonly name: string;
  readonly box: Box;
  readonly isAcross: boolean;
  readonly isDown: boolean;
}

/** One line of text. */
export interface Text {
  readonly name: string;
  readonly elementIndex: number;
  readonly box: Box;
  readonly clips: readonly Clip[];
  /** Whether neither it nor any ancestor is positioned. */
  readonly isInFlow: boolean;
}

/** The page and the boxes in it that scroll sideways. Input fields may do so. */
export function scrollsSideways(): string[] {
  const root = document.documentElement;
  const boxes = [...document.body.querySelectorAll(':not(input, select, textarea, iframe)')];
  const scrolling = boxes.filter(
    (box) =>
      box.checkVisibility() &&
      ['auto', 'scroll'].includes(getComputedStyle(box).overflowX) &&
      box.scrollWidth > box.clientWidth + 1.5,
  );
  return [
    ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
    ...scrolling.map(
      (box) =>
        `${box.tagName.toLowerCase()} "${box.textContent.trim().slice(0, 40)}" scrolls sideways`,
    ),
  ];
}

/** The share of the window's height that sticks to its edges. Sticky elements beside the content do not count. */
export function stuckShare(): number {
  const stuck = [...document.body.querySelectorAll('*')].filter(
    (box) =>
      getComputedStyle(box).position === 'sticky' &&
      box.checkVisibility() &&
      box.getBoundingClientRect().width > innerWidth / 2,
  );
  return stuck.reduce((sum, box) => sum + box.getBoundingClientRect().height, 0) / innerHeight;
}

/** Every visible line of text. */
export function readTexts(): Text[] {
  const root = document.documentElement;
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`;
  const boxOf = ({ left, right, top, bottom }: DOMRect): Box => ({ left, right, top, bottom });
  function ancestorsOf(element: Element): Element[] {
    const above = element.parentElement;
    return above === null || element === root ? [] : [element, ...ancestorsOf(above)];
  }
  const hides = (overflow: string): boolean => ['hidden', 'clip'].includes(overflow);

  function clipsOf(boxes: readonly Element[]): Clip[] {
    let isFixed = false;
    let isReachable = true;
    const clips = boxes.flatMap((box): Clip[] => {
      const { overflowX, overflowY, position } = getComputedStyle(box);
      const isDown = isReachable && hides(overflowY);
      // A scrolling box lets the user reach all its content.
      if (['auto', 'scroll'].includes(overflowY)) isReachable = false;
      if (position === 'fixed') isFixed = true;
      if (!isDown && !hides(overflowX)) return [];
      const edge = boxOf(box.getBoundingClientRect());
      return [{ name: nameOf(box), box: edge, isAcross: hides(overflowX), isDown }];
    });
    const window = { left: 0, right: root.clientWidth, top: 0, bottom: innerHeight };
    const isDown = isFixed && isReachable;
    return [...clips, { name: 'the window', box: window, isAcross: true, isDown }];
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.textContent?.trim() === '') continue;
    const boxes = ancestorsOf(element);
    const isUnseen =
      element.closest('[inert], [data-base-ui-inert], noscript') !== null ||
      !element.checkVisibility({ visibilityProperty: true }) ||
      // Visible to screen readers only.
      boxes.some((box) => getComputedStyle(box).clipPath === 'inset(50%)');
    if (isUnseen) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width * height > 1);
    const isInFlow = boxes.every((box) =>
      ['static', 'relative'].includes(getComputedStyle(box).position),
    );
    const shared = { name: nameOf(element), clips: clipsOf(boxes), isInFlow };
    texts.push(
      ...lines.map((line) => ({ ...shared, elementIndex: texts.length, box: boxOf(line) })),
    );
  }
  return texts;
}

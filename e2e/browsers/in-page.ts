/** Function bodies that run in the page. WebDriver takes them as text. */

/** Finds elements by role and name, as assistive technology does. @returns null in a document without Testing Library */
export const LOOK_FOR = `
  if (window.TestingLibraryDom === undefined) return null;
  const [role, name] = arguments;
  const pattern = typeof name === 'string' ? name : new RegExp(name.source, name.flags);
  return window.TestingLibraryDom.queryAllByRole(document.body, role, { name: pattern });
`;

/** Finds fields by label, because a password field has no role. @returns null in a document without Testing Library */
export const LOOK_FOR_FIELD = `
  if (window.TestingLibraryDom === undefined) return null;
  return window.TestingLibraryDom.queryAllByLabelText(document.body, arguments[0], {
    selector: 'input, textarea, select',
  });
`;

/** Scrolls an element into view. @returns its position */
export const BRING_INTO_VIEW = `
  arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = arguments[0].getBoundingClientRect();
  return [x, y, width, height].join(' ');
`;

/** @returns the rectangle of an element, in whole pixels of the window */
export const PLACE = `
  const { x, y, width, height } = arguments[0].getBoundingClientRect();
  const [left, top] = [Math.ceil(x), Math.ceil(y)];
  return {
    x: left,
    y: top,
    width: Math.floor(x + width) - left,
    height: Math.floor(y + height) - top,
  };
`;

/** Collects errors and policy violations in \`seenFaults\`, including violations that happened earlier. */
export const WATCH_FAULTS = `
  const faults = (window.seenFaults = []);
  const log = console.error.bind(console);
  console.error = (...words) => {
    faults.push('console: ' + words.map(String).join(' '));
    log(...words);
  };
  addEventListener('error', (event) => faults.push('error: ' + event.message));
  addEventListener('unhandledrejection', (event) => faults.push('rejection: ' + event.reason));
  addEventListener('securitypolicyviolation', (event) =>
    faults.push('policy: ' + event.effectiveDirective + ' ' + event.blockedURI),
  );
  if ('ReportingObserver' in window) {
    const tell = (reports) =>
      faults.push(...reports.map(({ type, body }) => type + ': ' + JSON.stringify(body)));
    new ReportingObserver(tell, { buffered: true, types: ['csp-violation'] }).observe();
  }
`;

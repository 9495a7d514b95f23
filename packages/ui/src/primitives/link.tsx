import { createContext, createElement, use } from 'react';
import type { AnchorHTMLAttributes, ComponentType, ReactNode } from 'react';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Path inside the app. */
  to: string;
  children?: ReactNode;
}

const plainLink = ({ to, children, ...rest }: LinkProps) => (
  <a href={to} {...rest}>
    {children}
  </a>
);

const LinkContext = createContext<ComponentType<LinkProps>>(plainLink);

/** The app gives its router's link once, at the top; components here know no router. */
export function LinkProvider(props: { link: ComponentType<LinkProps>; children: ReactNode }) {
  return <LinkContext value={props.link}>{props.children}</LinkContext>;
}

/** A link inside the app, followed by the app's router. */
export function Link(props: LinkProps) {
  return createElement(use(LinkContext), props);
}

/** A link inside a text, to a page inside the app. Alone on its line it is `isStandalone`: 44 px to touch. */
export function TextLink({ isStandalone, ...rest }: LinkProps & { isStandalone?: boolean }) {
  const className = isStandalone
    ? `${textLinkClass} target inline-flex items-center self-start`
    : textLinkClass;
  return <Link className={className} {...rest} />;
}

/** Look of a link in running text; also for links out of the app. */
export const textLinkClass =
  'rounded-small text-accent-text font-semibold underline decoration-1 underline-offset-4 hover:decoration-2';

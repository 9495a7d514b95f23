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

/** The app provides its router's link once, at the top, because the components of this package know no router. */
export function LinkProvider(props: { link: ComponentType<LinkProps>; children: ReactNode }) {
  return <LinkContext value={props.link}>{props.children}</LinkContext>;
}

/** A link inside the app, followed by the app's router. */
export function Link(props: LinkProps) {
  return createElement(use(LinkContext), props);
}

/**
 * A link in running text to a page of the app. Use `isStandalone` for a link on its own line, with a touch target of 44
 * px.
 */
export function TextLink({ isStandalone, ...rest }: LinkProps & { isStandalone?: boolean }) {
  const className = isStandalone
    ? `${textLinkClass} target inline-flex items-center self-start`
    : textLinkClass;
  return <Link className={className} {...rest} />;
}

/** The look of a link in running text, external links included. */
export const textLinkClass =
  'rounded-small text-accent-text font-semibold underline decoration-1 underline-offset-4 hover:decoration-2';

import { m } from '@athos/messages/messages';
import { Skeleton } from '../primitives/skeleton.tsx';

interface LegalParagraphsProps {
  intro: string;
  sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[];
  headingLevel: 'h2' | 'h3';
}

/** A legal text as its readers see it. */
export function LegalParagraphs({ intro, sections, headingLevel: Heading }: LegalParagraphsProps) {
  return (
    <>
      <p className="wrap-anywhere">{intro}</p>
      {sections.map(({ heading, paragraphs }, index) => (
        <section key={`${index} ${heading}`} className="flex flex-col gap-2">
          <Heading className="text-lead font-bold wrap-anywhere">{heading}</Heading>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="text-ink-quiet wrap-anywhere">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </>
  );
}

export function LegalSkeleton() {
  return (
    <div role="status" aria-label={m.common_loading()} className="flex flex-col gap-2.5">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}

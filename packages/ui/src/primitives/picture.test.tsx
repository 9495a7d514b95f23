// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Picture } from './picture.tsx';

afterEach(cleanup);

const SOURCES = [
  { type: 'image/avif', srcSet: '/media/a/320.avif 320w' },
  { type: 'image/webp', srcSet: '/media/a/320.webp 320w' },
];

describe('Picture', () => {
  it('offers every format in the displayed size, and is loaded lazily', () => {
    const { container } = render(
      <Picture sources={SOURCES} src="/media/a/640.webp" sizes="50vw" alt="A stage" />,
    );
    const sources = [...container.querySelectorAll('source')];
    expect(sources.map(({ type, srcset, sizes }) => [type, srcset, sizes])).toEqual([
      ['image/avif', '/media/a/320.avif 320w', '50vw'],
      ['image/webp', '/media/a/320.webp 320w', '50vw'],
    ]);
    const image = screen.getByRole('img', { name: 'A stage' });
    expect(image.getAttribute('src')).toBe('/media/a/640.webp');
    expect(image.getAttribute('loading')).toBe('lazy');
    expect(image.getAttribute('decoding')).toBe('async');
  });

  it('is loaded at once if it is visible from the start', () => {
    render(<Picture sources={[]} src="/a.webp" sizes="50vw" alt="A stage" isFirst />);
    const image = screen.getByRole('img');
    expect(image.getAttribute('loading')).toBe('eager');
    expect(image.getAttribute('fetchpriority')).toBe('high');
  });

  it('keeps its box without a picture', () => {
    const { container } = render(<Picture sources={[]} src="" sizes="50vw" ratio="wide" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.firstElementChild?.className).toContain('aspect-16/9');
    expect(container.querySelector('svg')).not.toBeNull();
  });

  it('shows the same box if the picture cannot be loaded', () => {
    render(<Picture sources={[]} src="/gone.webp" sizes="50vw" alt="A stage" />);
    fireEvent.error(screen.getByRole('img'));
    expect(screen.getByRole('img', { name: 'A stage' }).tagName).toBe('svg');
  });
});

/** The look of menus and popups. */
export const popupClass =
  'rounded-small bg-raised text-ink shadow-raised inset-ring-line text-dense p-1 outline-none inset-ring';

/** One choice in a menu or popup. */
export const optionClass =
  'control rounded-dense text-dense hover:bg-sunken data-highlighted:bg-sunken flex w-full cursor-pointer items-center gap-2 px-2 text-left outline-offset-[-2px]';

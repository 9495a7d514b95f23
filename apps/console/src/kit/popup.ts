/** The look of what opens above a screen: menus, filters, the columns of a list. */
export const popupClass =
  'rounded-small bg-raised text-ink shadow-raised inset-ring-line text-dense p-1 outline-none inset-ring';

/** One choice in it. */
export const optionClass =
  'control rounded-dense text-dense hover:bg-sunken data-highlighted:bg-sunken flex w-full cursor-pointer items-center gap-2 px-2 text-left outline-offset-[-2px]';

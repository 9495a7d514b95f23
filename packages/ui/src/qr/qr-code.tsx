import { QRCodeSVG } from 'qrcode.react';
import { m } from '@athos/messages/messages';
import { BrandMark } from '../layout/brand-mark.tsx';
import { darkEnoughToScan } from '../theme/colour.ts';

/** Spec 9: the size of every QR code. */
export const QR_SIZE_PX = 260;
/** W-057: the size if the screen has room for it. */
const LARGE_PX = 480;

export interface QrCodeProps {
  value: string;
  label?: string;
  /** The tier's colour on the tier screen, darkened until cameras can read it; black everywhere else. */
  colour?: string;
  /**
   * With the logo the code has error correction level M, without it level L, which leaves room for more than 10 items.
   */
  hasLogo?: boolean;
  /** As wide as the screen, up to 480 px. The ground around it is white too. */
  isLarge?: boolean;
}

/**
 * Black on white with the brand's mark in the middle, in both themes (spec 9). The mark hides 3 % of the code, of which
 * level M repairs 15 %; level Q would repair more, but its smaller modules are lost first in a dim or blurred picture. The
 * 32 px frame is a quiet zone of more than 4 modules, because a signed payload has at least 53 modules per side, each at
 * most 4.9 px.
 */
export function QrCode({
  value,
  label = m.common_qr_label(),
  colour,
  hasLogo = true,
  isLarge = false,
}: QrCodeProps) {
  return (
    <div
      className={`rounded-large bg-qr-ground relative inline-flex max-w-full ${isLarge ? '' : 'p-8'}`}
    >
      <QRCodeSVG
        value={value}
        size={isLarge ? LARGE_PX : QR_SIZE_PX}
        level={hasLogo ? 'M' : 'L'}
        marginSize={0}
        bgColor="#ffffff"
        fgColor={colour === undefined ? '#000000' : darkEnoughToScan(colour)}
        role="img"
        aria-label={label}
        className="h-auto max-w-full"
      />
      {hasLogo && (
        <span
          className={`absolute inset-0 m-auto flex items-center justify-center rounded-small bg-qr-ground text-qr-ink ${isLarge ? 'size-[18.5%]' : 'size-12'}`}
        >
          <BrandMark className={isLarge ? 'size-3/4' : 'size-9'} />
        </span>
      )}
    </div>
  );
}

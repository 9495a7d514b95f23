import ChevronDown from 'lucide-react/icons/chevron-down';
import Flashlight from 'lucide-react/icons/flashlight';
import FlashlightOff from 'lucide-react/icons/flashlight-off';
import { useId } from 'react';
import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { classNames } from '../primitives/class-names.ts';
import { ZOOM_MIN, ZOOM_STEP } from './qr-scanner-camera.ts';
import type { ScannerSession } from './qr-scanner-session.ts';
import type { ScannerView } from './qr-scanner-view.ts';
import { fieldFrameClass } from '../fields/text-field.tsx';

interface ControlsProps {
  session: ScannerSession;
  view: ScannerView;
}

/**
 * Spec 4: shows torch and zoom only if the camera supports them, and the selector only if there are several cameras.
 */
export function ScannerControls({ session, view }: ControlsProps) {
  return (
    <>
      {view.phase === 'scanning' && view.zoomMax !== undefined && (
        <ZoomSlider session={session} zoom={view.zoom} zoomMax={view.zoomMax} />
      )}
      {view.phase === 'scanning' && view.hasTorch && (
        <Button
          variant="quiet"
          isWide
          icon={
            view.isTorchOn ? (
              <FlashlightOff size={20} aria-hidden />
            ) : (
              <Flashlight size={20} aria-hidden />
            )
          }
          onClick={() => void session.toggleTorch()}
        >
          {view.isTorchOn ? m.scanner_widget_torch_off() : m.scanner_widget_torch_on()}
        </Button>
      )}
      {view.cameras.length > 1 && <CameraSelect session={session} view={view} />}
    </>
  );
}

interface ZoomSliderProps {
  session: ScannerSession;
  zoom: number;
  zoomMax: number;
}

function ZoomSlider({ session, zoom, zoomMax }: ZoomSliderProps) {
  const id = useId();
  const text = m.scanner_widget_zoom_value({ value: zoom.toFixed(1) });
  return (
    <div className="flex items-center gap-3">
      <label htmlFor={id} className="text-caption text-ink-quiet font-semibold">
        {m.scanner_widget_zoom()}
      </label>
      <input
        id={id}
        type="range"
        min={ZOOM_MIN}
        max={zoomMax}
        step={ZOOM_STEP}
        value={zoom}
        aria-valuetext={text}
        onChange={(event) => void session.setZoom(event.target.valueAsNumber)}
        className="target grow"
      />
      <span aria-hidden="true" className="text-body tabular w-10 text-right font-semibold">
        {text}
      </span>
    </div>
  );
}

function CameraSelect({ session, view }: ControlsProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-caption text-ink-quiet font-semibold">
        {m.scanner_widget_select_camera()}
      </label>
      <div className={classNames(fieldFrameClass(false), 'relative')}>
        <select
          id={id}
          value={view.cameraId}
          onChange={(event) => session.choose(event.target.value)}
          className="text-body rounded-small text-ink min-h-12 w-full min-w-0 grow cursor-pointer appearance-none truncate bg-transparent pr-11 pl-4"
        >
          {view.cameras.map((camera, index) => (
            <option key={camera.id} value={camera.id}>
              {camera.label === ''
                ? m.scanner_widget_camera_number({ number: index + 1 })
                : camera.label}
            </option>
          ))}
        </select>
        <ChevronDown
          size={20}
          aria-hidden
          className="text-ink-quiet pointer-events-none absolute right-4"
        />
      </div>
    </div>
  );
}

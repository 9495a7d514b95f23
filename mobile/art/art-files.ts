/** Every picture of both apps, with its size in pixels. */
export interface ArtFile {
  /** Relative to this workspace. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** `layer`: the mark alone. The others have the brand's background. */
  readonly shape: 'full' | 'rounded' | 'disc' | 'layer';
  /** The side of the mark as a fraction of the picture's shorter side. */
  readonly markPart: number;
}

const RES = 'android/app/src/main/res';
const ASSETS = 'ios/App/App/Assets.xcassets';

/** Android's screen densities, in px per dp. */
const DENSITIES = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 } as const;

const ICON_DP = 48;
/** The layer of an adaptive icon. Of its 108 dp, launchers show at least the middle 66. */
const LAYER_DP = 108;

const launcherIcons = Object.entries(DENSITIES).flatMap(([density, factor]): ArtFile[] => {
  const folder = `${RES}/mipmap-${density}`;
  const icon = { width: ICON_DP * factor, height: ICON_DP * factor, markPart: 0.6 };
  const layer = { width: LAYER_DP * factor, height: LAYER_DP * factor, markPart: 0.42 };
  return [
    { ...icon, path: `${folder}/ic_launcher.png`, shape: 'rounded' },
    { ...icon, path: `${folder}/ic_launcher_round.png`, shape: 'disc' },
    { ...layer, path: `${folder}/ic_launcher_foreground.png`, shape: 'layer' },
  ];
});

/** Width and height of the landscape splash screen in px, by density. Portrait swaps them. */
const SPLASH_SIDES = {
  mdpi: [480, 320],
  hdpi: [800, 480],
  xhdpi: [1280, 720],
  xxhdpi: [1600, 960],
  xxxhdpi: [1920, 1280],
} as const;

const splash = (path: string, width: number, height: number): ArtFile => ({
  path,
  width,
  height,
  shape: 'full',
  // A phone shows the middle half of a square that fills it, so there the mark appears twice as large.
  markPart: width === height ? 0.12 : 0.24,
});

const androidSplashes = Object.entries(SPLASH_SIDES).flatMap(([density, [long, short]]) => [
  splash(`${RES}/drawable-land-${density}/splash.png`, long, short),
  splash(`${RES}/drawable-port-${density}/splash.png`, short, long),
]);

/** The side of the largest screen. On others the storyboard shows the middle. */
const IOS_SPLASH_SIDE = 2732;
const iosSplashes = ['', '-1', '-2'].map((suffix) =>
  splash(
    `${ASSETS}/Splash.imageset/splash-2732x2732${suffix}.png`,
    IOS_SPLASH_SIDE,
    IOS_SPLASH_SIDE,
  ),
);

export const artFiles: readonly ArtFile[] = [
  ...launcherIcons,
  splash(`${RES}/drawable/splash.png`, 480, 320),
  ...androidSplashes,
  {
    path: `${ASSETS}/AppIcon.appiconset/AppIcon-512@2x.png`,
    width: 1024,
    height: 1024,
    shape: 'full',
    markPart: 0.6,
  },
  ...iosSplashes,
];

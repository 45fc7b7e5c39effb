// Small line drawings on a grid of 16.

const paths = {
  undo: 'M6 4 2.5 7.5 6 11M3 7.5h6.5a3.5 3.5 0 0 1 0 7H7',
  redo: 'M10 4l3.5 3.5L10 11M13 7.5H6.5a3.5 3.5 0 0 0 0 7H9',
  history: 'M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2.5V5H5M8 5v3.2l2 1.3',
  export: 'M8 2v8M5 5l3-3 3 3M2.5 10v3.5h11V10',
  command: 'M3 4l3.5 4L3 12M8 12.5h5',
  settings: 'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.2v3.6M5.5 9.2v3.6',
  keys: 'M1.8 4h12.4v8H1.8zM4.5 6.6h0M7 6.6h0M9.3 6.6h0M11.6 6.6h0M5 9.6h6',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z',
  auto: 'M8 2.2a5.8 5.8 0 1 0 0 11.6zM8 2.2a5.8 5.8 0 0 1 0 11.6',
  close: 'M4 4l8 8M12 4l-8 8',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8zM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  eyeOff: 'M2.5 2.5l11 11M6.6 4A6.3 6.3 0 0 1 8 3.8C12 3.8 14.5 8 14.5 8a12 12 0 0 1-1.7 2.1M9.9 11.9A6 6 0 0 1 8 12.2C4 12.2 1.5 8 1.5 8A12 12 0 0 1 4 5.3',
  chevron: 'M6 4l4 4-4 4',
  check: 'M3 8.5l3.3 3.3L13 4.8',
  pan: 'M8 2v12M2 8h12M6 4l2-2 2 2M6 12l2 2 2-2M4 6L2 8l2 2M12 6l2 2-2 2',
  lasso: 'M8 2.8c3.4 0 6 1.7 6 4s-2.6 4-6 4-6-1.7-6-4 2.6-4 6-4zM5 10.4c-1.6.5-2 2.6-.2 2.9 1.4.2 1.6 1 1 1.9',
  rectangle: 'M2.5 4V2.5H4M7 2.5h2M12 2.5h1.5V4M13.5 7v2M13.5 12v1.5H12M9 13.5H7M4 13.5H2.5V12M2.5 9V7',
  brush: 'M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M8 1v1M8 14v1M1 8h1M14 8h1',
  link: 'M6.8 9.2a2.6 2.6 0 0 1 0-3.7l2-2a2.6 2.6 0 0 1 3.7 3.7l-1 1M9.2 6.8a2.6 2.6 0 0 1 0 3.7l-2 2a2.6 2.6 0 0 1-3.7-3.7l1-1',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4l3.4 3.4',
  groups: 'M5 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4M11.5 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M7.5 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  plot: 'M2.5 2v11.5H14M5.5 10.5h0M8 7h0M11 8.5h0M12.5 4.5h0M6 5.5h0',
  question: 'M5.8 6a2.3 2.3 0 1 1 3.4 2C8.3 8.5 8 9 8 9.8M8 12.5h0',
  rows: 'M2 3.5h12v9H2zM2 6.5h12M2 9.5h12M6 6.5v6',
  edit: 'M3 13l.6-2.6L10.7 3.3l2 2L5.6 12.4z',
  merge: 'M3 3c0 4 5 3 5 6v4M13 3c0 4-5 3-5 6M6 11l2 2 2-2',
  tag: 'M2.5 2.5h5L13.5 8.5l-5 5L2.5 7.5zM5.3 5.3h0',
  target: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3M8 1v4M8 11v4M1 8h4M11 8h4',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6h0',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  file: 'M4 1.8h5l3.2 3.2v9.2H4zM9 1.8V5h3.2',
  erase: 'M6 13h8M2.6 9.6l6-6.2 4.4 4.2L8 13H5.4z',
  stop: 'M4.5 4.5h7v7h-7z',
  split: 'M8 13V9c0-3-5-2-5-6M8 9c0-3 5-2 5-6M1.5 4.5L3 3l1.5 1.5M11.5 4.5L13 3l1.5 1.5',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

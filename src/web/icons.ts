import { html, trusted, type Html } from '../platform/html.ts'

/** One family: a grid of 24, lines of 2, round ends, in the colour of the text. */
const shapes = {
  archive: '<path d="M3 4h18v5H3zM5 9v11h14V9M10 13h4"/>',
  bell: '<path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4"/>',
  board:
    '<rect x="3.5" y="4" width="4.5" height="16" rx="1"/><rect x="9.75" y="4" width="4.5" height="10" rx="1"/><rect x="16" y="4" width="4.5" height="13" rx="1"/>',
  book: '<path d="M5 4h13a1 1 0 0 1 1 1v15H7a2 2 0 0 1-2-2zm0 14a2 2 0 0 1 2-2h12"/>',
  branch:
    '<circle cx="6" cy="18" r="2.5"/><circle cx="6" cy="6" r="2.5"/><circle cx="18" cy="8" r="2.5"/><path d="M6 8.5v7M18 10.5c0 4-6 3.5-12 4"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>',
  code: '<path d="m8 7-5 5 5 5m8-10 5 5-5 5"/>',
  comment: '<path d="M4 5h16v11H9l-5 4z"/>',
  commit: '<circle cx="12" cy="12" r="3.5"/><path d="M2 12h6.5m7 0H22"/>',
  copy: '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4V5a1 1 0 0 1 1-1h10v1"/>',
  cross: '<path d="m6 6 12 12M18 6 6 18"/>',
  download: '<path d="M12 4v11m-5-4.5 5 5 5-5M4 20h16"/>',
  down: '<path d="m6 9 6 6 6-6"/>',
  eye: '<path d="M2 12s3.5-6.5 10-6.5S22 12 22 12s-3.5 6.5-10 6.5S2 12 2 12z"/><circle cx="12" cy="12" r="2.5"/>',
  file: '<path d="M6 3h8l5 5v13H6zM14 3v5h5"/>',
  folder:
    '<path d="M3 6a1 1 0 0 1 1-1h5l2.5 3H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z"/>',
  fork: '<circle cx="6" cy="5" r="2.5"/><circle cx="18" cy="5" r="2.5"/><circle cx="12" cy="19" r="2.5"/><path d="M6 7.5V10a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V7.5M12 12v4.5"/>',
  history: '<path d="M4 12a8 8 0 1 0 2.5-5.800L4 8.5M4 4v4.5h4.5M12 8v4.5l3 1.5"/>',
  issue: '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="1.5"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700L12 7m2 3a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700L12 17"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="1"/><path d="M8 11V7.5a4 4 0 0 1 8 0V11"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  merge:
    '<circle cx="6" cy="6" r="2.5"/><circle cx="18" cy="18" r="2.5"/><path d="M6 8.5V21M6 9a9 9 0 0 0 9.5 9"/>',
  module:
    '<path d="M3 6a1 1 0 0 1 1-1h5l2.5 3H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zM9 13.5h6m-2.5-2.5 2.5 2.5-2.5 2.5"/>',
  moon: '<path d="M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z"/>',
  pencil: '<path d="m4 20 1-5L16.500 3.500l4 4L9 19zM14 6l4 4"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4 20.500c1-4 4-6 8-6s7 2 8 6"/>',
  pin: '<path d="M9 3h6l-1 6 4 4v2H6v-2l4-4zM12 15v6"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  pull: '<circle cx="6" cy="6" r="2.5"/><circle cx="18" cy="18" r="2.5"/><path d="M6 8.5V21M12.5 6H16a2 2 0 0 1 2 2v7.5"/>',
  pulse: '<path d="M2 12h5l3-8 4 16 3-8h5"/>',
  screen: '<rect x="3" y="4" width="18" height="12" rx="1"/><path d="M8 20h8m-4-4v4"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  settings:
    '<path d="M4 7h8m6 0h2M4 17h2m6 0h8"/><circle cx="15" cy="7" r="2.5"/><circle cx="9" cy="17" r="2.5"/>',
  star: '<path d="m12 3.5 2.600 5.5 6 .8-4.400 4.100 1.100 5.900-5.300-2.900-5.300 2.900 1.100-5.900L3.400 9.800l6-.8z"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2v3m0 14v3M2 12h3m14 0h3M5 5l2 2m10 10 2 2M5 19l2-2M17 7l2-2"/>',
  tag: '<path d="M3 4v7.5L12.5 21l8-8L11 3.5 4 3a1 1 0 0 0-1 1z"/><circle cx="8" cy="8.5" r="1"/>',
  trash: '<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5m4-5v5"/>',
  up: '<path d="m6 15 6-6 6 6"/>',
} as const

export type IconName = keyof typeof shapes

/** A picture that says nothing by itself: what it stands for is written beside it or in a label. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">${trusted(shapes[name])}</svg>`
}

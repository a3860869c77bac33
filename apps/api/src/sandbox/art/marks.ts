/**
 * The marks of the sandbox's institutions: a color and a simple white drawing for each. The drawings are the project's
 * own and resemble no institution's trademark. Data only.
 */

export interface Mark {
  color: string
  /** SVG shapes in a box of 96 by 96. `T` paints a shape in a lighter tone. */
  shapes: string
}

/** The attribute that paints a shape in a lighter tone. */
const T = 'fill-opacity="0.55"'

/** Marks by the name of the parent company. */
export const marks: Readonly<Record<string, Mark>> = {
  // Two peaks.
  Chase: {
    color: '#1d4f91',
    shapes: `<path ${T} d="M40 70 60 36l22 34z"/><path d="M14 70 40 24l26 46z"/>`,
  },
  // A lighthouse and its beam.
  'American Express': {
    color: '#0f6a73',
    shapes: `<path ${T} d="M54 26 84 16v26L54 34z"/><path d="M38 24h16v12H38zM36 40h20l6 36H30z"/>`,
  },
  // An open book.
  'FedLoan Servicing': {
    color: '#2e6b4f',
    shapes: `<path d="M16 28c12-4 22-2 30 5v42c-8-7-18-9-30-5z"/><path ${T} d="M80 28c-12-4-22-2-30 5v42c8-7 18-9 30-5z"/>`,
  },
  // A bridge with two arches.
  'Capital One': {
    color: '#7c2d45',
    shapes: `<path d="M14 36h68v34H72a11 11 0 0 0-22 0h-4a11 11 0 0 0-22 0H14z"/><path ${T} d="M14 24h68v7H14z"/>`,
  },
  // A road to the horizon.
  Ally: {
    color: '#5b2f86',
    shapes: `<path ${T} d="M14 36h68v8H14z"/><path d="M42 48h4v28H22zM50 48h4l20 28H50z"/>`,
  },
  // A skyline.
  Citi: {
    color: '#24467a',
    shapes: `<path d="M40 18h18v58H40z"/><path ${T} d="M18 40h18v36H18zM62 32h16v44H62z"/>`,
  },
  // A sprout with two leaves.
  Upstart: {
    color: '#1f7a4d',
    shapes: `<path d="M45 78V52C28 52 18 42 18 26c16 0 27 8 30 22v30z"/><path ${T} d="M52 50c0-16 10-26 28-28 0 18-9 28-28 28z"/>`,
  },
  // A house.
  'Rocket Mortgage': {
    color: '#8a4b1f',
    shapes: `<path ${T} d="M12 46 48 18l36 28-5 6-31-24-31 24z"/><path d="M24 52l24-18 24 18v24H56V58H40v18H24z"/>`,
  },
  // A mortarboard.
  Nelnet: {
    color: '#3f3f8f',
    shapes: `<path d="M48 24 88 42 48 60 8 42z"/><path ${T} d="M26 56l22 10 22-10v12c-12 8-32 8-44 0z"/>`,
  },
  // Two linked rings.
  LendingClub: {
    color: '#0b5a82',
    shapes: `<path fill-rule="evenodd" d="M36 28a20 20 0 1 1 0 40 20 20 0 0 1 0-40zm0 9a11 11 0 1 0 0 22 11 11 0 0 0 0-22z"/><path ${T} fill-rule="evenodd" d="M60 28a20 20 0 1 1 0 40 20 20 0 0 1 0-40zm0 9a11 11 0 1 0 0 22 11 11 0 0 0 0-22z"/>`,
  },
  // A flower with four petals.
  Affirm: {
    color: '#6b2a86',
    shapes: `<path d="M48 46C34 38 34 24 48 16c14 8 14 22 0 30zM48 50c14 8 14 22 0 30-14-8-14-22 0-30z"/><path ${T} d="M46 48c-8 14-22 14-30 0 8-14 22-14 30 0zM50 48c8-14 22-14 30 0-8 14-22 14-30 0z"/>`,
  },
  // The needle of a compass.
  Discover: {
    color: '#8a3b12',
    shapes: `<path d="M70 26 56 56 40 40z"/><path ${T} d="M26 70l14-30 16 16z"/>`,
  },
  // Three waves.
  SoFi: {
    color: '#1b6f93',
    shapes: `<path d="M12 34c12-10 24-10 36 0s24 10 36 0v9c-12 10-24 10-36 0s-24-10-36 0z"/><path ${T} d="M12 54c12-10 24-10 36 0s24 10 36 0v9c-12 10-24 10-36 0s-24-10-36 0z"/>`,
  },
  // Fields on a hill.
  'Midland Credit Management': {
    color: '#5a5a1e',
    shapes: `<path d="M10 58c20-22 56-22 76 0v6c-24-14-52-14-76 0z"/><path ${T} d="M10 70c24-12 52-12 76 0v6H10zM58 20a10 10 0 1 1 0 20 10 10 0 0 1 0-20z"/>`,
  },
}

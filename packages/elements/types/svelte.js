/** Types only: see the declaration file next to this file. */
export {}

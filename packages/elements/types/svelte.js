/** Types only: see the declarations beside this file. */
export {}

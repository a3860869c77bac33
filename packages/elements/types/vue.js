/** Contains types only. See the declaration file next to this file. */
export {}

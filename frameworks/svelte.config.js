/** `svelte-check` reads this file instead of the repository's Vite configuration, which does not configure Svelte. */
export default {}

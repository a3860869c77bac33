/** `svelte-check` reads this file instead of the repository's Vite configuration, which has no Svelte in it. */
export default {}

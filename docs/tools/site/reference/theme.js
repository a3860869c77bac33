// The choice between light and dark is the one of the other pages.
const chosen = localStorage.getItem('vitepress-theme-appearance') || 'auto'
const dark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
document.documentElement.classList.toggle('dark', dark)

// Applies the light or dark mode that the reader chose on the other pages.
const chosen = localStorage.getItem('vitepress-theme-appearance') || 'auto'
const dark = chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
document.documentElement.classList.toggle('dark', dark)

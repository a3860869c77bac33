/**
 * Opens a dialog when its button is clicked. The button's `data-dialog` is the dialog's id. Closing requires no script.
 */
export {}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>('[data-dialog]')
  const dialog = button && document.getElementById(button.dataset['dialog'] ?? '')
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
})

/** Opens dialogs: a button whose `data-dialog` is the id of one. Closing needs no script. */
export {}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>('[data-dialog]')
  const dialog = button && document.getElementById(button.dataset['dialog'] ?? '')
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
})

/** Adds a button to each `<pre data-copy="label" data-copied="label">` that copies its text. */
for (const block of document.querySelectorAll<HTMLElement>('pre[data-copy]')) {
  const { copy = '', copied = '' } = block.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.addEventListener('click', () => void copyText(block, button, copied));
  const frame = document.createElement('div');
  frame.className = 'code';
  block.before(frame);
  frame.append(block, button);
}

async function copyText(block: HTMLElement, button: HTMLButtonElement, copied: string): Promise<void> {
  const before = button.textContent;
  // Absent where the page was loaded without TLS from another host than localhost.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) {
    document.getSelection()?.selectAllChildren(block);
    return;
  }
  await clipboard.writeText(block.innerText);
  button.textContent = copied;
  setTimeout(() => (button.textContent = before), 1500);
}

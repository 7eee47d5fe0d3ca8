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
  if (!(await isWritten(block.innerText))) {
    document.getSelection()?.selectAllChildren(block);
    return;
  }
  const before = button.textContent;
  button.textContent = copied;
  setTimeout(() => (button.textContent = before), 1500);
}

/** Writes a text to the clipboard, which is absent without TLS from another host than localhost, and may be refused. */
async function isWritten(text: string): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const writing = clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  return (await writing) ?? false;
}

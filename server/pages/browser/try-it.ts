/** Shows the forms that call operations of the API, and sends them. Keys stay in the storage of the tab. */

/** The origin in samples. */
const SAMPLE_ORIGIN = 'http://localhost:8080';

/** Longer answers are cut. */
const LONGEST_ANSWER = 100_000;

/** Headers of an answer that are shown. */
const SHOWN_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-data-build', 'x-auth', 'retry-after'];

for (const code of document.querySelectorAll('pre code'))
  for (const text of code.childNodes)
    if (text instanceof Text) text.data = text.data.replaceAll(SAMPLE_ORIGIN, location.origin);

for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
  form.hidden = false;
  restoreLogin(form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

function restoreLogin(form: HTMLFormElement): void {
  for (const name of ['account', 'key']) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement)) continue;
    const saved = `ipatlas-${name}`;
    field.value = sessionStorage.getItem(saved) ?? '';
    field.addEventListener('change', () => {
      if (field.value === '') sessionStorage.removeItem(saved);
      else sessionStorage.setItem(saved, field.value);
      for (const other of document.querySelectorAll<HTMLInputElement>(`form.try input[name=${name}]`))
        other.value = field.value;
    });
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const status = form.querySelector<HTMLElement>('[role=status]')!;
  const result = form.querySelector<HTMLElement>('.result')!;
  const button = form.querySelector('button')!;
  const { sending = '', failed = '' } = form.dataset;
  status.textContent = sending;
  result.hidden = true;
  button.disabled = true;
  try {
    const started = performance.now();
    const { url, init } = requestOf(form);
    const response = await fetch(url, init);
    const text = await textOf(form, response);
    const took = Math.round(performance.now() - started);
    status.textContent = `HTTP ${response.status} · ${took} ms · ${init.method ?? ''} ${url}`;
    result.textContent = `${headersOf(response)}\n\n${text}`;
    result.hidden = false;
  } catch (error) {
    status.textContent = `${failed} ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    button.disabled = false;
  }
}

function requestOf(form: HTMLFormElement): { readonly url: string; readonly init: RequestInit } {
  const { method = 'GET', path = '', accept } = form.dataset;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  const values = new Map<string, string>();
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string') values.set(name, value.trim());
  let filled = path;
  for (const [name, value] of values) {
    const [place, parameter] = name.split(':') as [string, string?];
    if (place === 'path') filled = filled.replace(`{${parameter!}}`, () => encodeURIComponent(value));
    if (place === 'query' && value !== '') query.set(parameter!, value);
  }
  if (accept !== undefined) headers['Accept'] = accept;
  const key = values.get('key') ?? '';
  const account = values.get('account');
  if (key !== '')
    headers['Authorization'] = account === undefined ? `Bearer ${key}` : `Basic ${btoa(`${account}:${key}`)}`;
  const body = values.get('body');
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const asked = query.size === 0 ? '' : `?${query.toString()}`;
  return { url: `${filled}${asked}`, init: { method, headers, ...(body !== undefined && { body }) } };
}

/** Files are not read: they may have hundreds of megabytes. */
async function textOf(
  { dataset: { binary = '', cut = '' } }: HTMLFormElement,
  response: Response,
): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text/.test(type)) {
    await response.body?.cancel();
    return binary;
  }
  const text = await response.text();
  const shown = type.startsWith('application/json') ? indented(text) : text;
  return shown.length <= LONGEST_ANSWER ? shown : `${shown.slice(0, LONGEST_ANSWER)}\n${cut}`;
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), undefined, 2);
}

function headersOf({ headers }: Response): string {
  const names = ['content-type', 'content-length', ...SHOWN_HEADERS];
  return names.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)!}`] : [])).join('\n');
}

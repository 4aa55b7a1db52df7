import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';

const CHROMIUM = process.env.DEXSYNC_CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium) {
  if (process.env.DEXSYNC_CHROMIUM_NEEDED === 'yes') throw new Error(`${CHROMIUM} is absent.`);
  console.warn(`Tests in a browser are skipped: ${CHROMIUM} is absent. Install Chromium or set DEXSYNC_CHROMIUM.`);
}

/** A page in a real browser, driven as a person would: by clicks and keys. */
export interface Page {
  /** The value of an expression in the page, as JSON carries it. */
  value<T>(expression: string): Promise<T>;
  /** A click of the mouse in the middle of an element, which is scrolled into view first. */
  click(selector: string): Promise<void>;
  type(text: string): Promise<void>;
  press(key: 'Tab' | 'Enter' | 'ArrowDown' | '/' | ' '): Promise<void>;
  /** Opens another page in the same window, and waits until it is there. */
  go(url: string): Promise<void>;
  /** Waits for the page that a click or a key leads to. */
  arrives(act: () => Promise<void>): Promise<void>;
  /** The window gets this many pixels in width. */
  resize(width: number): Promise<void>;
  /** The colours that the reader's system prefers. */
  scheme(scheme: 'light' | 'dark'): Promise<void>;
  screenshot(path: string, scheme?: 'light' | 'dark'): Promise<void>;
  /** What the page asked for, itself included. */
  readonly requests: readonly string[];
  /** What its console and its policy complained of. */
  readonly complaints: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: messages of the DevTools protocol as they come.
type Message = any;

/** `place`: a file or a URL. `width`: of the window, in pixels; `zone`: of the reader, such as `Asia/Tokyo`. */
export type OpenPage = (place: string, width?: number, zone?: string) => Promise<Page>;

/** Opens the pages of a test file in one browser, isolated from each other. Call it at the top level of the file. */
export function sharedBrowser(): OpenPage {
  let browser: Promise<Browser> | undefined;
  afterAll(async () => (await browser)?.end());
  return async (place, width = 1200, zone = 'UTC') => {
    browser ??= launch();
    return openPage(await browser, place, width, zone);
  };
}

async function openPage({ send, ...browser }: Browser, place: string, width: number, zone: string): Promise<Page> {
  const { browserContextId } = await send('Target.createBrowserContext');
  onTestFinished(() => send('Target.disposeBrowserContext', { browserContextId }));
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const call = (method: string, params: object = {}): Promise<Message> => send(method, params, sessionId);
  const on = (method: string, listener: (params: Message) => void): void => browser.on(sessionId, method, listener);
  const requests: string[] = [];
  const complaints: string[] = [];
  on('Network.requestWillBeSent', ({ request }) => requests.push(request.url));
  on('Log.entryAdded', ({ entry }) => complaints.push(entry.text));
  on('Runtime.exceptionThrown', ({ exceptionDetails }) => complaints.push(exceptionDetails.text));
  on('Page.javascriptDialogOpening', ({ message }) => complaints.push(`dialog: ${message}`));
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await call(`${domain}.enable`);
  await call('Emulation.setDeviceMetricsOverride', sizeOf(width));
  await call('Emulation.setTimezoneOverride', { timezoneId: zone });
  const loads: (() => void)[] = [];
  on('Page.loadEventFired', () => loads.splice(0).forEach((done) => void done()));
  const arrives = async (act: () => Promise<unknown>): Promise<void> => {
    const loaded = new Promise<void>((done) => loads.push(done));
    await act();
    await loaded;
  };
  const go = (url: string): Promise<void> => arrives(() => call('Page.navigate', { url }));
  await go(/^https?:/.test(place) ? place : pathToFileURL(place).href);
  return { ...handsOn(call), go, arrives, requests, complaints };
}

const sizeOf = (width: number) => ({ width, height: 900, deviceScaleFactor: 1, mobile: false });

type Call = (method: string, params?: object) => Promise<Message>;

function handsOn(call: Call): Omit<Page, 'go' | 'arrives' | 'requests' | 'complaints'> {
  const value: Page['value'] = async (expression) => {
    const { result, exceptionDetails } = await call('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text} ${result.description}`);
    return result.value;
  };
  const scheme: Page['scheme'] = (prefers) =>
    call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: prefers }] });
  return {
    resize: async (width) => void (await call('Emulation.setDeviceMetricsOverride', sizeOf(width))),
    value,
    async click(selector) {
      const name = JSON.stringify(selector);
      const [x, y] = await value<[number, number]>(
        `(() => { const e = document.querySelector(${name}); e.scrollIntoView({ block: 'center' });
          const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()`,
      );
      const at = { x, y, button: 'left', clickCount: 1 };
      await call('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
      await call('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
    },
    type: (text) => call('Input.insertText', { text }),
    async press(key) {
      const code = { Tab: 9, Enter: 13, ' ': 32, ArrowDown: 40, '/': 191 }[key];
      const text = key === 'Enter' ? { text: '\r' } : key === ' ' ? { text: ' ' } : {};
      await call('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode: code, ...text });
      await call('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: code });
    },
    scheme,
    async screenshot(path, shown = 'light') {
      await scheme(shown);
      const { data } = await call('Page.captureScreenshot', { format: 'png' });
      await writeFile(path, Buffer.from(data, 'base64'));
    },
  };
}

interface Browser {
  send(method: string, params?: object, sessionId?: string): Promise<Message>;
  on(sessionId: string, method: string, listener: (params: Message) => void): void;
  end(): Promise<void>;
}

/** The DevTools protocol over a pipe: no port, and nothing to install beside the browser. */
async function launch(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'browser-'));
  const child: ChildProcess = spawn(
    CHROMIUM,
    ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise((done) => child.once('exit', done));
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable];
  const waiting = new Map<number, { done(result: Message): void; failed(error: Error): void }>();
  const listeners: { sessionId: string; method: string; listener(params: Message): void }[] = [];
  const receive = ({ id, result, error, method, params, sessionId }: Message): void => {
    const call = waiting.get(id);
    if (error !== undefined) call?.failed(new Error(error.message));
    else call?.done(result);
    for (const one of listeners) if (one.sessionId === sessionId && one.method === method) one.listener(params);
  };
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) receive(JSON.parse(message));
  });
  let last = 0;
  return {
    send(method, params = {}, sessionId = undefined) {
      last += 1;
      const id = last;
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
      return new Promise((done, failed) => waiting.set(id, { done, failed }));
    },
    on: (sessionId, method, listener) => void listeners.push({ sessionId, method, listener }),
    async end() {
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

import { LivePage } from './browser/live-page.js';
import { PageTools } from './browser/page-tools.js';
import { startLive } from './browser/start-live.js';

/** The browser code of all pages of the server; each class knows only its arguments. */
export const LIVE_SCRIPT = `'use strict';\n(${startLive})(${PageTools}, ${LivePage});\n`;

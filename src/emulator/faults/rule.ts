import type { Action, InterceptedRequest } from './action.js';
import { ACTIONS } from './actions.js';
import { parseObject } from './answers.js';
import type { Fault } from './fault-file.js';

/** The report of a rule: how often it matched and struck so far. */
export interface RuleReport extends Pick<Fault, 'method' | 'path' | 'body' | 'user' | 'do'> {
  /** The number of requests that it matched. */
  readonly matched: number;
  readonly struck: number;
  /** The latest requests that it struck. */
  readonly requests: readonly { readonly method: string; readonly path: string }[];
}

const MOST_REPORTED = 1000;

/** An armed fault: matches requests, and counts how often it matched and struck. */
export class Rule {
  readonly action: Action;
  readonly fault: Fault;
  readonly #path: RegExp;
  #matched = 0;
  #struck = 0;
  readonly #requests: { readonly method: string; readonly path: string }[] = [];

  constructor(fault: Fault) {
    this.fault = fault;
    this.action = ACTIONS[fault.do];
    this.#path = patternOf(fault.path ?? '/**');
  }

  /** Whether it may match a request, judged without the body. */
  mayMeet(method: string, path: string): boolean {
    return (this.fault.method ?? method) === method && this.#path.test(path);
  }

  meets(asked: InterceptedRequest, sender: string | undefined): boolean {
    const { body, user = sender } = this.fault;
    if (!this.mayMeet(asked.method, asked.path) || user !== sender) return false;
    return body === undefined || containsText(parseObject(asked), body);
  }

  /** Counts a matching request, and returns whether to strike it. */
  count(): boolean {
    const { nth = 1, times = 1 } = this.fault;
    this.#matched += 1;
    return this.#matched >= nth && (times === 'always' || this.#matched < nth + times);
  }

  /** Records a request that it strikes. */
  note({ method, path }: InterceptedRequest): void {
    this.#struck += 1;
    this.#requests.push({ method, path });
    if (this.#requests.length > MOST_REPORTED) this.#requests.shift();
  }

  report(): RuleReport {
    const { method, path, body, user, do: action } = this.fault;
    const about = { ...(method && { method }), ...(path && { path }), ...(body && { body }), ...(user && { user }) };
    return { ...about, do: action, matched: this.#matched, struck: this.#struck, requests: [...this.#requests] };
  }
}

/** Compiles a path: `*` matches within one segment; a closing `/**` matches the path itself and everything below it. */
function patternOf(path: string): RegExp {
  const [rest = '', ...before] = path.split('/').reverse();
  const segments = rest === '**' ? before.reverse() : path.split('/');
  const pattern = segments.map((one) => one.split('*').map(escaped).join('[^/]*')).join('/');
  return new RegExp(`^${pattern}${rest === '**' ? '(/.*)?' : ''}$`);
}

const escaped = (text: string): string => text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');

/** Whether a value is this text, or contains it at any depth. */
function containsText(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return Object.values(value).some((one) => containsText(one, text));
}

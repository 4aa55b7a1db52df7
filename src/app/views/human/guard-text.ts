import type { GuardFinding } from '#core/model/guards.js';
import type { Palette } from './palette.js';

/** Number of steps that are named; others are only counted. */
const MOST_ADDRESSES = 3;

/** Lists findings of guards and rules. Blocked steps repeat them; only this list names steps of a warning. */
export const guardsText = (findings: readonly GuardFinding[], palette: Palette): string =>
  findings.map((finding) => `${guardText(finding, palette)}\n`).join('');

function guardText({ guard, rule, severity, message, addresses }: GuardFinding, palette: Palette): string {
  const mark = severity === 'deny' ? palette.red('✗') : palette.yellow('!');
  const name = rule === undefined ? `${palette.bold(guard)}  ` : '';
  const about = severity === 'warn' && rule !== undefined ? ` ${palette.dim(`(${addressList(addresses)})`)}` : '';
  return `  ${mark} ${name}${message}${about}`;
}

function addressList(addresses: readonly string[]): string {
  const more = addresses.length - MOST_ADDRESSES;
  return [...addresses.slice(0, MOST_ADDRESSES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

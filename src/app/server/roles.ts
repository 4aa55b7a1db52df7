import { PAGE_ROLES, type PageRole } from '#core/stream/page-event.js';
import type { LoginSettings } from '#project/config/page-settings.js';

/** The claims of a login, as the provider says them. */
export type Claims = Readonly<Record<string, unknown>>;

/** The roles that a claim gives; each of them includes `view`. None: the person may not come in. */
export function rolesIn(claims: Claims, { claim = 'groups', ...wanted }: LoginSettings['roles']): readonly PageRole[] {
  const values = textsIn(claims[claim]);
  const given = PAGE_ROLES.filter((role) => wanted[role]?.some((value) => values.includes(value)));
  return given.length === 0 ? [] : PAGE_ROLES.filter((role) => role === 'view' || given.includes(role));
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The name of a person: the address, if the provider does not doubt it. `sub` is always there and says nothing to people. */
export function nameIn({ email, email_verified: verified, preferred_username: username, sub }: Claims): string {
  if (typeof email === 'string' && email !== '' && verified !== false) return email;
  return typeof username === 'string' && username !== '' ? username : String(sub);
}

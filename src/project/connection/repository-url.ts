/**
 * The URL of a repository for records: without user, password, query and fragment, in every form that git accepts.
 * Undefined for any other text, since any part of it may be secret.
 */
export function publicUrl(remote: string): string | undefined {
  const [address = ''] = remote.trim().split(/[?#]/);
  const helper = /^([\w-]+)::(.*)$/s.exec(address);
  if (helper !== null) return withHelper(helper);
  return address.includes('://') ? withoutUser(address) : ofHost(address);
}

/** `codecommit::REGION://PROFILE@NAME`. Texts other than URLs may be commands, such as those of `ext::`. */
function withHelper([, name, address = '']: RegExpExecArray): string | undefined {
  const url = address.includes('://') ? withoutUser(address) : undefined;
  return url === undefined ? undefined : `${name}::${url}`;
}

function withoutUser(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** `git@host:team/project.git`, or a folder. */
const ofHost = (address: string): string | undefined => address.replace(/^[^/\\]*@/, '') || undefined;

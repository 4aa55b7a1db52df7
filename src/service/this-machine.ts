/** Whether the host of a URL is this machine, judged by its name or address alone. */
export const isThisMachine = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** Variables by which the built program says at its end how much memory it took. */
export const TELL_PEAK = {
  NODE_OPTIONS: `--import=data:text/javascript,process.on('exit',()=>process.stderr.write('maxRSS='+process.resourceUsage().maxRSS))`,
};

/** What it wrote to standard error, apart from that; and the most memory that it had, in MB. */
export function peakIn(err: string): { err: string; megabytes: number } {
  const [said = '', kilobytes] = /maxRSS=(\d+)$/.exec(err) ?? [];
  return { err: err.slice(0, err.length - said.length), megabytes: Math.round(Number(kilobytes) / 1024) };
}

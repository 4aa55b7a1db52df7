/** `2026-11-22 10:16:08 UTC`, of a time as the service and the journals write it; any other text as it is. */
export const timeText = (at: string): string => (ISO.test(at) ? `${columnTime(at)} UTC` : at);

/** The same for a column whose head names the zone. */
export const columnTime = (at: string): string => at.replace(ISO, '$1 $2');

const ISO = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

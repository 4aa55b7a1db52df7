import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { ACTIONS } from '#core/model/step-schema.js';
import type { Event } from '#core/stream/event.js';
import { ROUND_RESULTS, type RoundEnd } from '#core/stream/watch-event.js';

/** The metrics of a watch, in the text format of Prometheus. */
export interface Metrics {
  event(event: Event): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Collects the metrics of one watch; `now` in milliseconds since 1970. The reference lists names and labels. */
export function openMetrics(environment: string, version: string, now: () => number): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ environment });
  collectDefaultMetrics({ register: registry, prefix: 'dexsync_' });
  const meters = metersIn(registry);
  meters.info.set({ version }, 1);
  for (const result of ROUND_RESULTS) meters.rounds.inc({ result }, 0);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    event(event) {
      if (event.type === 'plan') {
        for (const action of ACTIONS) meters.pending.set({ action }, event.plan.summary[action] ?? 0);
      } else if (event.type === 'step' && event.status.is !== 'started') {
        meters.steps.inc({ action: event.action, status: event.status.is });
      } else if (event.type === 'summary') {
        meters.rows.inc({ status: 'committed' }, event.rows.committed);
        meters.rows.inc({ status: 'failed' }, event.rows.failed);
      } else if (event.type === 'watch' && event.event.is === 'round-ended') {
        noteRound(event.event, meters, now());
      }
    },
  };
}

function metersIn(registry: Registry) {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `dexsync_${name}`, help, labelNames, registers });
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `dexsync_${name}`, help, labelNames, registers });
  return {
    info: gauge('build_info', 'The version of dexsync; always 1.', 'version'),
    rounds: counter('watch_rounds_total', 'Rounds by result.', 'result'),
    errors: counter('watch_errors_total', 'Failed rounds by error code.', 'code'),
    inSync: gauge('watch_in_sync', '1 if the workspace matched the manifests at the end of the last round, else 0.'),
    lastRound: gauge('watch_last_round_timestamp_seconds', 'When the last round ended.'),
    lastSuccess: gauge('watch_last_success_timestamp_seconds', 'When the last round ended that did not fail.'),
    duration: gauge('watch_round_duration_seconds', 'How long the last round took.'),
    next: gauge('watch_next_round_timestamp_seconds', 'When the next round begins, unless a change comes before it.'),
    pending: gauge('watch_steps', 'Steps of the last plan by action.', 'action'),
    held: gauge('watch_held_steps', 'Steps that the policy left to a person in the last round.'),
    drifted: gauge('watch_drifted_objects', 'Objects that the last round found changed outside dexsync.'),
    steps: counter('watch_applied_steps_total', 'Steps that were applied, by action and status.', 'action', 'status'),
    rows: counter('watch_imported_rows_total', 'Rows of imports by status.', 'status'),
    requests: counter('watch_requests_total', 'Requests that count against the daily quota.'),
    remaining: gauge('watch_requests_remaining', 'What is left of the daily quota, if the service reports it.'),
  };
}

function noteRound(end: RoundEnd, meters: ReturnType<typeof metersIn>, now: number): void {
  const { result, seconds, drifted, held, requests, error, next } = end;
  meters.rounds.inc({ result });
  meters.inSync.set(result === 'unchanged' || result === 'applied' ? 1 : 0);
  meters.lastRound.set(now / 1000);
  meters.duration.set(seconds);
  meters.requests.inc(requests.used);
  if (requests.remaining !== null) meters.remaining.set(requests.remaining);
  if (next !== undefined) meters.next.set(Date.parse(next) / 1000);
  if (error !== undefined) {
    meters.errors.inc({ code: error.code });
    return;
  }
  meters.lastSuccess.set(now / 1000);
  meters.held.set(held.length);
  meters.drifted.set(drifted.length);
}

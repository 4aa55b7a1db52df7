/** What a worker does in an environment: it works on it for a rollout, which it finds by its name, or looks for drift. */
export type TargetJob =
  | { readonly is: 'rollout'; readonly environment: string; readonly rollout: string }
  | { readonly is: 'drift'; readonly environment: string };

/** A job, and what decides when it may be done. */
export interface QueuedJob {
  readonly job: TargetJob;
  /** Of the jobs with the same one, at most one is done at once. */
  readonly session: string;
  /** Seconds until it may be done; none by default. */
  readonly delay?: number;
}

/** When jobs of a fleet are queued. */
export interface QueueSchedule {
  readonly fleet: string;
  /** In the format of cron. */
  readonly schedule: string;
  /** The name of a time zone, such as Europe/Vienna; UTC by default. */
  readonly timeZone?: string | undefined;
}

/** What a worker is to a queue. */
export interface QueueWorker {
  /** The stack whose environments wait in the queue. */
  readonly stack: string;
  /** Two workers that run have two names; what a worker leaves behind is found by its name. */
  readonly name: string;
  /** How many jobs it does at once. */
  readonly atOnce: number;
  /** Does a job, perhaps for the second time, so that a repetition must change nothing. */
  readonly work: (job: TargetJob) => Promise<void>;
  /** The schedules of the stack. */
  readonly schedules: readonly QueueSchedule[];
  /** The jobs that a schedule queues. */
  readonly dueJobs: (fleet: string) => Promise<readonly QueuedJob[]>;
  /** Ends the worker: calls no longer wait for other workers. */
  readonly signal: AbortSignal;
  /** Reports trouble with the queue that passes by itself. */
  readonly report: (message: string) => void;
}

/** A queue of jobs that several workers share, also over machines. */
export interface WorkQueue {
  /** Lets some worker do a job, and returns once it has. One that is queued already is not queued again. */
  run(job: QueuedJob): Promise<void>;
  /** Gives what workers left behind to others, except to those that run. */
  takeOver(running: ReadonlySet<string>): Promise<void>;
  /** Takes nothing more, waits for what this worker does, and closes. */
  close(): Promise<void>;
}

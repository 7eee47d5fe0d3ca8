import type { JobEvent } from './job-events.js';
import type { JobTimes } from './expected-times.js';
import { elapsed, nextView, shareOf, type JobView } from './progress-text.js';

/** The jobs of a build, and how long they took in earlier ones. */
export interface BuildPlan {
  readonly jobs: readonly string[];
  readonly expected?: JobTimes | undefined;
}

/** Share of a job from which its own speed gives its time left. */
const ENOUGH = 0.05;

/** The state of all jobs of a build. */
export class BuildProgress {
  private readonly views = new Map<string, JobView>();
  private plan: BuildPlan | undefined;
  readonly startedMs: number;

  constructor(private readonly now: () => number) {
    this.startedMs = now();
  }

  planned(plan: BuildPlan): void {
    this.plan = plan;
  }

  /** Takes an event and returns the view of its job. */
  event(event: JobEvent): JobView {
    const view = nextView(this.views.get(event.job), event, this.now());
    this.views.set(event.job, view);
    return view;
  }

  /** Returns the running jobs in starting order. */
  running(): JobView[] {
    const views = [...this.views.values()].filter(({ outcome }) => outcome === undefined);
    return views.sort((a, b) => a.startedMs - b.startedMs);
  }

  /** Returns the number of finished jobs, and of all jobs if a plan is known. */
  count(): { readonly done: number; readonly of: number | undefined } {
    const done = [...this.views.values()].filter(({ outcome }) => outcome !== undefined).length;
    return { done, of: this.plan?.jobs.length };
  }

  /** Returns the time left of a running job in ms: by its own speed, else by earlier builds; undefined if unknown. */
  leftOf(view: JobView): number | undefined {
    const nowMs = this.now();
    const tookMs = elapsed(view, nowMs);
    const share = shareOf(view.progress);
    if (share !== undefined && share >= ENOUGH) return (tookMs * (1 - share)) / share;
    const expectedMs = this.plan?.expected?.jobs[view.job];
    return expectedMs === undefined ? undefined : Math.max(0, expectedMs - tookMs);
  }

  /** Returns the time left of the whole build in ms; undefined if an earlier build did not have one of the jobs left. */
  left(): number | undefined {
    const { plan } = this;
    if (plan?.expected === undefined) return undefined;
    const left = this.jobsLeft(plan);
    if (left.includes(undefined)) return undefined;
    const known = left as number[];
    const work = known.reduce((sum, ms) => sum + ms, 0);
    return Math.max(work / plan.expected.parallel, ...known, 0);
  }

  /** Returns the share of the build that is done, 0..1: of its time, else of its jobs; undefined without a plan. */
  share(): number | undefined {
    const left = this.left();
    const tookMs = this.now() - this.startedMs;
    if (left !== undefined && tookMs > 0) return tookMs / (tookMs + left);
    const { done, of } = this.count();
    return of === undefined || of === 0 ? undefined : done / of;
  }

  private jobsLeft({ jobs, expected }: BuildPlan): (number | undefined)[] {
    return jobs.flatMap((job) => {
      const view = this.views.get(job);
      if (view === undefined) return [expected?.jobs[job]];
      return view.outcome === undefined ? [this.leftOf(view)] : [];
    });
  }
}

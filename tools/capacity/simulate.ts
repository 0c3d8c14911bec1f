import type { Random } from "../durability/random.ts";
import { createTimeline } from "./timeline.ts";

/** Something that does one step of a job after another: so many at the same time, the others wait in order. */
export interface Station {
	readonly name: string;
	readonly servers: number;
	/** Work that a server does in a millisecond, in milliseconds of a whole processor. */
	readonly speed: number;
}

export interface Step {
	/** Name of a station. */
	readonly station: string;
	/** In milliseconds of a whole processor. */
	readonly workMs: number;
}

/** One thing that a client asks for: its steps are done in order. */
export interface Job {
	readonly kind: string;
	readonly steps: readonly Step[];
}

/** Arrival of jobs: at random times (a Poisson process), or from clients that wait for one before they ask for the next. */
export type Arrivals =
	| { readonly type: "random"; readonly perSecond: number }
	| { readonly type: "clients"; readonly clients: number };

export interface SimulationOptions {
	readonly stations: readonly Station[];
	readonly arrivals: Arrivals;
	readonly createJob: (random: Random) => Job;
	readonly seconds: number;
	readonly random: Random;
}

export interface SimulationResult {
	/** Jobs by their kind. */
	readonly kinds: ReadonlyMap<string, SimulatedKind>;
	/** Share of the time of each station's servers in which they worked. */
	readonly busy: ReadonlyMap<string, number>;
}

export interface SimulatedKind {
	readonly arrived: number;
	/** Time in milliseconds that each job took that has ended; those that have not are in no list. */
	readonly times: readonly number[];
}

interface RunningJob {
	readonly job: Job;
	readonly arrivedAt: number;
	next: number;
}

interface StationState {
	readonly station: Station;
	readonly waiting: { readonly job: RunningJob; readonly workMs: number }[];
	working: number;
	busyMs: number;
}

/** Simulates jobs at stations, event by event, for some seconds; what is not done then is left. */
export function simulate({
	stations,
	arrivals,
	createJob,
	seconds,
	random,
}: SimulationOptions): SimulationResult {
	const endMs = seconds * 1_000;
	const timeline = createTimeline();
	const states = new Map<string, StationState>(
		stations.map((station) => [station.name, { station, waiting: [], working: 0, busyMs: 0 }]),
	);
	const kinds = new Map<string, { arrived: number; times: number[] }>();

	function arrive(): void {
		const job = createJob(random);
		const kind = kinds.get(job.kind) ?? { arrived: 0, times: [] };
		kinds.set(job.kind, { ...kind, arrived: kind.arrived + 1 });
		advance({ job, arrivedAt: timeline.now, next: 0 });
		if (arrivals.type === "random") timeline.add(toInterval(arrivals.perSecond, random), arrive);
	}

	function advance(running: RunningJob): void {
		const step = running.job.steps[running.next];
		if (step === undefined) return end(running);
		running.next += 1;
		const state = states.get(step.station);
		if (state === undefined) throw new Error(`There is no station "${step.station}".`);
		state.waiting.push({ job: running, workMs: step.workMs });
		work(state);
	}

	function work(state: StationState): void {
		const { servers, speed } = state.station;
		if (state.working >= servers) return;
		const next = state.waiting.shift();
		if (next === undefined) return;
		const takesMs = next.workMs / speed;
		state.working += 1;
		state.busyMs += Math.min(takesMs, endMs - timeline.now);
		timeline.add(takesMs, () => {
			state.working -= 1;
			work(state);
			advance(next.job);
		});
	}

	function end({ job, arrivedAt }: RunningJob): void {
		kinds.get(job.kind)?.times.push(timeline.now - arrivedAt);
		if (arrivals.type === "clients") timeline.add(0, arrive);
	}

	if (arrivals.type === "random") timeline.add(toInterval(arrivals.perSecond, random), arrive);
	else for (let client = 0; client < arrivals.clients; client++) timeline.add(0, arrive);
	timeline.runUntil(endMs);
	const toBusy = ({ busyMs, station }: StationState): number => busyMs / (station.servers * endMs);
	return { kinds, busy: new Map([...states].map(([name, state]) => [name, toBusy(state)])) };
}

/** Time until the next arrival, in milliseconds. */
const toInterval = (perSecond: number, random: Random): number =>
	(-Math.log(1 - random.next()) / perSecond) * 1_000;

import type { Api, StreamedEvent } from "../service/api.ts";

/** A run that is started once, whatever is killed meanwhile, and what was seen of it. */
export interface StepRun {
	/** Its input, which no other run has. */
	readonly order: string;
	/** Undefined until its start was acknowledged. */
	id: string | undefined;
	readonly events: StreamedEvent[];
}

const ENDS = ["run.completed", "run.failed", "run.cancelled"];
const never = new AbortController().signal;

/**
 * Does for a run what is not done yet: starts it, follows it, and approves what it waits for, to its end.
 *
 * @throws NoResponseError when the service is killed; called again, it goes on.
 */
export async function driveRun(api: Api, run: StepRun): Promise<void> {
	run.id ??= await startRun(api, run.order);
	const path = `/v1/runs/${run.id}`;
	for (;;) {
		const last = run.events.at(-1)?.type ?? "";
		if (ENDS.includes(last)) return;
		// The stream of a run that waits goes on once it is decided on.
		if (last === "run.paused") await approve(api, path);
		await api.rejoin(`${path}/events`, {
			lastEventId: run.events.length,
			signal: never,
			onEvent: ({ run_token: _, ...event }) => run.events.push(event),
		});
	}
}

async function startRun(api: Api, order: string): Promise<string> {
	const body = { input: order, background: true };
	const headers = { "idempotency-key": order };
	return (await api.post<{ id: string }>("/v1/agents/steps/run", body, headers)).id;
}

/** A decision whose response was lost is stored, and the run is not paused any more. */
async function approve(api: Api, path: string): Promise<void> {
	const { status, result } = await api.get<{
		readonly status: string;
		readonly result?: { readonly approvals?: readonly { readonly id: string }[] };
	}>(path);
	if (status !== "paused") return;
	for (const { id } of result?.approvals ?? [])
		await api.post(`${path}/approvals/${id}`, { decision: "approve" });
}

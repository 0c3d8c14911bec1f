import { createSseReader } from "@stemma/core/sse";
import { TOKEN } from "./runtime-agents.mjs";

const HEADERS = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
const STREAMED = { ...HEADERS, accept: "text/event-stream" };

interface Event {
	readonly type: string;
	readonly seq: number;
	readonly run_id: string;
	readonly result?: { readonly output: unknown; readonly approvals?: readonly { readonly id: string }[] };
}

/** Uses a runtime in every way over its port, and tells what came of it. */
export async function useRuntime(url: string): Promise<unknown> {
	const get = (path: string, headers: Readonly<Record<string, string>> = HEADERS): Promise<Response> =>
		fetch(url + path, { headers });
	const post = (path: string, body: object = {}, headers: Readonly<Record<string, string>> = HEADERS) =>
		fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });

	const { status: health } = await (await get("/healthz", {})).json();
	const refused = (await get("/agents", {})).status;
	const { data: agents } = await (await get("/agents")).json();
	const whole = await (await post("/run/desk", { input: "hello" })).json();
	const events = await readEvents(await post("/run/desk", { input: "refund 7" }, STREAMED));
	const path = `/runs/${events[0]?.run_id}/events`;
	const again = await readEvents(await get(`${path}?after=2`, STREAMED));
	return {
		health,
		refused,
		agents: agents.map(({ id, status, issues }: Listed) => [
			id,
			status,
			...(issues ?? []).map(({ code }) => code),
		]),
		whole: [whole.status, whole.output],
		streamed: events.at(-1)?.result?.output,
		isWithoutGaps: events.every(({ seq }, index) => seq === index + 1),
		rejoined: JSON.stringify(again) === JSON.stringify(events.slice(2)),
		cancelled: await cancelOne(post),
		approved: await approveOne(post, get),
		metrics: /stemma_runs_ended_total\{agent="desk",status="completed"\} 2/.test(
			await (await get("/metrics")).text(),
		),
		missing: (await post("/run/nobody", { input: "" })).status,
	};
}

interface Listed {
	readonly id: string;
	readonly status: string;
	readonly issues?: readonly { readonly code: string }[];
}

export const EXPECTED_OF_RUNTIME = {
	health: "ok",
	refused: 401,
	agents: [
		["broken", "invalid", "tool_not_registered"],
		["careful", "ready"],
		["desk", "ready"],
	],
	whole: ["completed", "You said hello."],
	streamed: "You said refunded 7.",
	isWithoutGaps: true,
	rejoined: true,
	cancelled: "run.cancelled",
	approved: ["run.paused", "running", "run.resumed", "You said refunded 9."],
	metrics: true,
	missing: 404,
};

type Post = (path: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Response>;

async function cancelOne(post: Post): Promise<string | undefined> {
	const response = await post("/run/desk", { input: "wait" }, STREAMED);
	let last: Event | undefined;
	for await (const event of followEvents(response)) {
		last = event;
		if (event.type === "node.started") await post(`/runs/${event.run_id}/cancel`);
	}
	return last?.type;
}

async function approveOne(post: Post, get: (path: string, headers: typeof STREAMED) => Promise<Response>) {
	const paused = (await readEvents(await post("/run/careful", { input: "refund 9" }, STREAMED))).at(-1);
	const path = `/runs/${paused?.run_id}`;
	const approval = paused?.result?.approvals?.[0]?.id;
	const answer = await post(`${path}/approvals/${approval}`, { decision: "approve" });
	const { status } = await answer.json();
	const rest = await readEvents(await get(`${path}/events?after=${paused?.seq}`, STREAMED));
	const isAnswer = status === "running" || status === "completed";
	return [paused?.type, isAnswer ? "running" : status, rest[0]?.type, rest.at(-1)?.result?.output];
}

async function readEvents(response: Response): Promise<Event[]> {
	const events: Event[] = [];
	for await (const event of followEvents(response)) events.push(event);
	return events;
}

async function* followEvents(response: Response): AsyncGenerator<Event> {
	const sse = createSseReader();
	const reader = response.body?.getReader();
	for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
		for (const { data } of sse.push(next.value)) yield JSON.parse(data);
}

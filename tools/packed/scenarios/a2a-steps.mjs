// What every platform must be able to do with the packed @stemma/client/a2a: see `client-scenario.mjs`.
import { failureOf, HELD_TEXT, holdBack, PIECES } from "./held-text.mjs";

/** Talks with an agent of the service: by its client, and as with any other agent, over both bindings. */
export async function talkToAgents(context) {
	const { packages, stemma, baseUrl, heldAgent, clientKey, fetch } = context;
	const { a2a, createA2aClient } = packages.a2a;
	const own = a2a(stemma.client)(heldAgent);
	const url = `${baseUrl}/a2a/${heldAgent}`;
	const [jsonRpc, httpJson] = ["JSONRPC", "HTTP+JSON"].map((binding) =>
		createA2aClient({ url, token: clientKey, binding, fetch }),
	);
	return {
		name: (await own.card()).name,
		streamed: await stream(context, own),
		overJsonRpc: await stream(context, jsonRpc),
		overHttpJson: await stream(context, httpJson),
		rejoined: await rejoin(context, own),
		cancelled: await cancel(context, own),
		aborted: await abort(context, own),
		refused: await refuse(context, own),
	};
}

/** The vendor goes on only after each piece has come this far: held back anywhere on the way, it would never end. */
async function stream({ packages, ...context }, agent) {
	const { mark, release } = holdBack(context);
	const stream = agent.stream(mark);
	const pieces = [];
	for await (const event of stream) {
		const piece = textOf(event);
		if (piece === "") continue;
		pieces.push(piece);
		await release(1);
	}
	const { task } = await stream.result();
	const recorded = await agent.getTask(task.id);
	const isWhole = pieces.join("") === (await stream.text());
	return {
		state: task.status.state,
		pieces: pieces.length,
		isWhole,
		recorded: [recorded.status.state, packages.a2a.readA2aText({ task: recorded })],
	};
}

/** Leaves after the first piece, and comes back by the id of the task. */
async function rejoin(context, agent) {
	const { mark, release } = holdBack(context);
	const left = agent.stream(mark);
	for await (const event of left) if (textOf(event) !== "") break;
	const rest = agent.subscribe(left.taskId);
	let events = 0;
	for await (const _ of rest) {
		if (events === 0) await release(PIECES);
		events += 1;
	}
	return { hasEvents: events > 1, text: await rest.text() };
}

async function cancel(context, agent) {
	const { mark, until } = holdBack(context);
	const cancelled = agent.stream(mark);
	for await (const event of cancelled) if (textOf(event) !== "") cancelled.cancel();
	const { task } = await cancelled.result();
	await until("closed");
	const { code } = await failureOf(cancelled.text());
	return [task.status.state, (await agent.getTask(task.id)).status.state, code];
}

async function abort(context, agent) {
	const { mark, until } = holdBack(context);
	const controller = new AbortController();
	const aborted = agent.stream(mark, { signal: controller.signal });
	const read = async () => {
		for await (const event of aborted) if (textOf(event) !== "") controller.abort(new Error("enough"));
	};
	const { message } = await failureOf(read());
	await until("closed");
	return message;
}

/** An error is told by its brand, whoever made it. */
async function refuse({ packages, clientKey }, agent) {
	const error = await failureOf(agent.getTask("run_nothing"));
	const { name, code, reason } = error;
	const isKeyLeaked = `${error} ${error.stack} ${JSON.stringify(error)}`.includes(clientKey.slice(-20));
	return { name, code, reason, isBranded: packages.a2a.A2aError.is(error), isKeyLeaked };
}

const textOf = ({ artifactUpdate }) => artifactUpdate?.artifact.parts[0]?.text ?? "";

const streamed = {
	state: "TASK_STATE_COMPLETED",
	pieces: PIECES,
	isWhole: true,
	recorded: ["TASK_STATE_COMPLETED", HELD_TEXT],
};

/** What {@link talkToAgents} must give everywhere. */
export const expectedOfAgents = {
	name: "writer",
	streamed,
	overJsonRpc: streamed,
	overHttpJson: streamed,
	rejoined: { hasEvents: true, text: HELD_TEXT },
	cancelled: ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED", "task_canceled"],
	aborted: "enough",
	refused: {
		name: "A2aError",
		code: "task_not_found",
		reason: "TASK_NOT_FOUND",
		isBranded: true,
		isKeyLeaked: false,
	},
};

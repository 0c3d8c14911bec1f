// What every platform must be able to do with the packed @stemma/client and @stemma/local. Plain JavaScript, so that it
// runs anywhere, and with no more than React Native has.
import { expectedOfAgents, talkToAgents } from "./a2a-steps.mjs";
import { callWithClientKey, expectedWithClientKey } from "./every-method.mjs";
import { failureOf, HELD_TEXT, holdBack, PIECES, pause } from "./held-text.mjs";
import { callTools, expectedOfTools } from "./mcp-steps.mjs";
import { expectedOfRun, runRemoteNodes } from "./remote-steps.mjs";

const QUESTION = "How long do refunds take?";
const ANSWER = "Refunds take five working days [1].";

/** Does with a service what a client can, over the packages that it is handed, and gives back what a test can compare. */
export async function clientScenario(packages, options) {
	const { baseUrl, clientKey, fetch } = options;
	const lines = [];
	const log = (line) => lines.push(line);
	const connection = { baseUrl, fetch, logger: { debug: log, warn: log } };
	const stemma = new packages.client.Stemma({ ...connection, clientKey });
	const context = { ...options, packages, stemma, connection };
	const outcome = {};
	for (const [name, step] of Object.entries(STEPS)) outcome[name] = await withTimeout(name, step(context));
	const isKeyLeaked = [...lines, JSON.stringify(outcome)].some((text) => text.includes(clientKey.slice(-20)));
	return { ...outcome, hasLogged: lines.length > 0, isKeyLeaked };
}

const STEPS = {
	run,
	streamed: stream,
	cancelled: cancel,
	rejoined: rejoin,
	asked: ask,
	found: search,
	refused: refuse,
	aborted: abort,
	local: runLocally,
	tools: callTools,
	talked: talkToAgents,
	outwards: runRemoteNodes,
	secret: useSecret,
	methods: callWithClientKey,
};

const TIMEOUT_MS = 120_000;

/** Says what did not end, which is how a step fails whose text is held back on its way. */
async function withTimeout(name, work) {
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error(`"${name}" did not end.`)), TIMEOUT_MS);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** With the functions that a small bundle imports. */
async function run({ packages, connection, clientKey, agent }) {
	const { agents, createClient } = packages.client;
	const { run } = agents(createClient({ ...connection, clientKey }));
	const { status, output, citations, usage, requestId } = await run(agent, {
		input: QUESTION,
		context: { customer: "Ada" },
	});
	const cited = citations.map(({ n, title, support }) => `${n} ${title} ${support}`);
	return { status, output, cited, calls: usage.model_calls, hasRequestId: requestId.startsWith("req_") };
}

/** The vendor goes on only after each piece has come this far: held back anywhere on the way, it would never end. */
async function stream(context) {
	const { mark, release } = holdBack(context);
	const stream = context.stemma.agents.stream(context.heldAgent, { input: mark });
	const pieces = [];
	const types = [];
	for await (const { type, text } of stream) {
		if (types[types.length - 1] !== type) types.push(type);
		if (type !== "text.delta") continue;
		pieces.push(text);
		await release(1);
	}
	const isWhole = (await stream.text()) === pieces.join("");
	return { text: pieces.join(""), pieces: pieces.length, types, isWhole };
}

async function cancel(context) {
	const { mark } = holdBack(context);
	const { agents, runs } = context.stemma;
	const stream = agents.stream(context.heldAgent, { input: mark });
	let last;
	for await (const { type } of stream) {
		if (type === "text.delta") stream.cancel();
		last = type;
	}
	const { run_id, run_token } = stream;
	const { status } = await stream.result();
	return { last, status, recorded: (await runs.get(run_id, { run_token })).status };
}

/** Leaves after the first piece, and comes back by the run's id, its token and the number of the last event. */
async function rejoin(context) {
	const { mark, release } = holdBack(context);
	const { agents, runs } = context.stemma;
	const left = agents.stream(context.heldAgent, { input: mark });
	const before = [];
	for await (const event of left) {
		before.push(event);
		if (event.type === "text.delta") left.close();
	}
	const { run_id, run_token } = left;
	const after = before[before.length - 1].seq;
	await release(PIECES);
	const rest = await readAll(runs.stream(run_id, { run_token, after }));
	const all = await readAll(runs.stream(run_id, { run_token }));
	const isSame = JSON.stringify([...before, ...rest]) === JSON.stringify(all);
	return { isSame, before: before.filter(isText).length, text: rest.filter(isText).map(toText).join("") };
}

async function ask({ stemma, knowledgeBaseId }) {
	const request = { question: QUESTION, knowledge_base_ids: [knowledgeBaseId] };
	const { answer, citations } = await stemma.ask(request);
	const stream = stemma.ask.stream(request);
	const events = await readAll(stream);
	const isSame = answer === events.filter(isText).map(toText).join("") && answer === (await stream.text());
	const types = [...new Set(events.map(({ type }) => type))];
	return { answer, cited: citations.map(({ title }) => title), isSame, types };
}

async function search({ stemma, knowledgeBaseId }) {
	const { passages } = await stemma.search({ query: QUESTION, knowledge_base_ids: [knowledgeBaseId] });
	return passages.map(({ title }) => title);
}

/** An error is told by its brand, whoever made it. */
async function refuse({ packages, stemma, clientKey }) {
	const { NotFoundError, ApiError, isStemmaError } = packages.client;
	const error = await failureOf(stemma.agents.run("nobody", { input: QUESTION }));
	const brands = [NotFoundError.is(error), ApiError.is(error), isStemmaError(error)];
	const { name, code, status } = error;
	const isKeyLeaked = `${error} ${error.stack} ${JSON.stringify(error)}`.includes(clientKey.slice(-20));
	return { name, code, status, brands, isKeyLeaked, hasRequestId: error.requestId.startsWith("req_") };
}

async function abort(context) {
	const stream = await abortStream(context);
	const { run_id, run_token } = stream;
	const stopped = await settle(() => context.stemma.runs.get(run_id, { run_token }));
	return { run: stream.reason, stopped, ask: await abortAsk(context), early: await abortEarly(context) };
}

async function abortStream(context) {
	const { mark } = holdBack(context);
	const controller = new AbortController();
	const stream = context.stemma.agents.stream(
		context.heldAgent,
		{ input: mark },
		{ signal: controller.signal },
	);
	const read = async () => {
		for await (const event of stream) if (isText(event)) controller.abort(new Error("enough"));
	};
	const { message: reason } = await failureOf(read());
	return { reason, run_id: stream.run_id, run_token: stream.run_token };
}

async function abortAsk(context) {
	const { mark } = holdBack(context);
	const controller = new AbortController();
	const question = `${QUESTION} ${mark}`;
	const request = { question, knowledge_base_ids: [context.knowledgeBaseId] };
	const stream = context.stemma.ask.stream(request, { signal: controller.signal });
	const read = async () => {
		for await (const event of stream) if (isText(event)) controller.abort(new Error("enough"));
	};
	return (await failureOf(read())).message;
}

/** Without a reason, and before anything was sent. */
async function abortEarly({ stemma, knowledgeBaseId }) {
	const controller = new AbortController();
	controller.abort();
	const request = { query: QUESTION, knowledge_base_ids: [knowledgeBaseId] };
	return (await failureOf(stemma.search(request, { signal: controller.signal }))).name;
}

/** A graph on this side, on the documents and the model of the service. */
async function runLocally(context) {
	const { packages, stemma, knowledgeBaseId } = context;
	const { createLocalAgent, servicePorts } = packages.local;
	const ports = servicePorts(stemma.client);
	const graph = packages.core.defineAgent({
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "faq", kind: "knowledge", knowledgeBases: [knowledgeBaseId] },
		],
		edges: [{ from: "desk", to: "faq", mode: "before" }],
	});
	const { status, output, citations } = await createLocalAgent(graph, { ports }).run({ input: QUESTION });
	const cited = citations.map(({ n, title, support }) => `${n} ${title} ${support}`);
	return { status, output, cited, streamed: await streamLocally(context, ports) };
}

async function streamLocally(context, ports) {
	const { mark, release } = holdBack(context);
	const graph = context.packages.core.defineAgent({ nodes: [{ id: "writer", kind: "coordinator" }] });
	const { createLocalAgent } = context.packages.local;
	let text = "";
	for await (const event of createLocalAgent(graph, { ports }).stream({ input: mark })) {
		if (!isText(event)) continue;
		text += event.text;
		await release(1);
	}
	return text;
}

/** Servers get an access token for it; where others could read it, it is refused when the client is made. */
async function useSecret({ packages, connection, clientId, clientSecret, knowledgeBaseId }) {
	let stemma;
	try {
		stemma = new packages.client.Stemma({ ...connection, clientId, clientSecret });
	} catch (error) {
		const { name, message } = error;
		const isBranded = packages.client.ConfigurationError.is(error);
		return { name, isBranded, isFieldNamed: message.includes("clientSecret") };
	}
	return (await stemma.knowledge.get(knowledgeBaseId)).name;
}

const isText = ({ type }) => type === "text.delta";
const toText = ({ text }) => text;

async function readAll(stream) {
	const events = [];
	for await (const event of stream) events.push(event);
	return events;
}

/** The status of a run, once it has ended. */
async function settle(read) {
	for (;;) {
		const { status } = await read();
		if (status !== "running") return status;
		await pause();
	}
}

/** What {@link clientScenario} must give on servers. */
export const expectedOfClient = {
	run: { status: "completed", output: ANSWER, cited: ["1 Refunds quoted"], calls: 1, hasRequestId: true },
	streamed: {
		text: HELD_TEXT,
		pieces: PIECES,
		types: ["run.started", "text.delta", "run.completed"],
		isWhole: true,
	},
	cancelled: { last: "run.cancelled", status: "cancelled", recorded: "cancelled" },
	rejoined: { isSame: true, before: 1, text: HELD_TEXT.slice(7) },
	asked: {
		answer: ANSWER,
		cited: ["Refunds"],
		isSame: true,
		types: ["ask.passages", "text.delta", "ask.completed"],
	},
	found: ["Refunds"],
	refused: {
		name: "NotFoundError",
		code: "agent_not_found",
		status: 404,
		brands: [true, true, true],
		isKeyLeaked: false,
		hasRequestId: true,
	},
	aborted: { run: "enough", stopped: "cancelled", ask: "enough", early: "AbortError" },
	local: {
		status: "completed",
		output: ANSWER,
		cited: ["1 Refunds quoted"],
		streamed: HELD_TEXT,
	},
	tools: expectedOfTools,
	talked: expectedOfAgents,
	outwards: expectedOfRun,
	secret: "Questions",
	methods: expectedWithClientKey,
	hasLogged: true,
	isKeyLeaked: false,
};

/** … and of it, what is different where others can read what a program holds: pages, React Native. */
export const EXPOSED = {
	secret: { name: "ConfigurationError", isBranded: true, isFieldNamed: true },
};
